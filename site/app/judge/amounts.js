// Amounts as the lab writes them: three digits that matter, a unit that fits, one thing or several.

export const round = (value, digits = 3) => (value === 0 ? "0" : Number(value.toPrecision(digits)).toLocaleString("en"));

/** US dollars, without the sign. */
export const money = (value) => (value < 100 ? value.toFixed(2) : round(value));

/** A time in seconds, in s or ms. */
export const seconds = (value) => (value >= 1 ? `${round(value)} s` : `${round(value * 1000)} ms`);

/** "1 GPU", "1,200 GPUs". */
export const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
