// A submission in an address: compressed text after the `#`, which browsers do not send to any server.

import { note } from "./notice.js";

const KEY = "text";
const MOST = 200_000; // characters; no link is made of more, nor read

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

const toUrl = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const fromUrl = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** The address of this page that opens with the text. An Error says why there can be none. */
export async function linkTo(text) {
  if (text.length > MOST) throw new Error(`the text has ${text.length.toLocaleString("en")} characters, and a link carries up to ${MOST.toLocaleString("en")}. Send it as a file instead.`);
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const address = new URL(location.href);
  address.hash = `${KEY}=${toUrl(packed)}`;
  return address.href;
}

/** The text that the page's address carries, or null. Of one that cannot be read the page says so, and the address is cleared. */
export async function sharedText() {
  const prefix = `#${KEY}=`;
  if (!location.hash.startsWith(prefix)) return null;
  try {
    return await unpacked(location.hash.slice(prefix.length));
  } catch (error) {
    const found = error instanceof RangeError ? error.message : "is damaged or cut short";
    note(`The text in the link you opened ${found}, so it was left out; nothing of yours changed. Ask whoever sent it for the whole link.`);
    forgetShared();
    return null;
  }
}

async function unpacked(letters) {
  const bytes = new Blob([fromUrl(letters)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = bytes.pipeThrough(new TextDecoderStream("utf-8", { fatal: true })).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > MOST) throw new RangeError(`has more than ${MOST.toLocaleString("en")} characters`);
  }
}

/** Takes the text out of the address, so that a reload does not ask again. */
export function forgetShared() {
  history.replaceState(null, "", location.pathname + location.search);
}
