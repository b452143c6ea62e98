// Runs before the page is painted: says that scripts run, and applies the colours the reader chose.
document.documentElement.classList.add("js");
try {
  const theme = localStorage.getItem("practice.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage can be switched off; the system's colours then stand.
}
