"""A fleet of simulated instances: routers, pools, caches, autoscaling, deaths, overload. Begin with design.py and loop.py."""
