// A submission in an address: compressed text after the `#`, which browsers do not send to any server.

const KEY = "text";
const MOST = 200_000; // characters; a link that unpacks to more is not read

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

const toUrl = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const fromUrl = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** The address of this page that opens with the text. */
export async function linkTo(text) {
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const address = new URL(location.href);
  address.hash = `${KEY}=${toUrl(packed)}`;
  return address.href;
}

/** The text that the page's address carries, or null. */
export async function sharedText() {
  const match = location.hash.match(new RegExp(`^#${KEY}=([\\w-]+)$`));
  if (!match) return null;
  try {
    const reader = new Blob([fromUrl(match[1])]).stream().pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return text;
      text += value;
      if (text.length > MOST) return null;
    }
  } catch {
    return null;
  }
}

/** Takes the text out of the address, so that a reload does not ask again. */
export function forgetShared() {
  history.replaceState(null, "", location.pathname + location.search);
}
