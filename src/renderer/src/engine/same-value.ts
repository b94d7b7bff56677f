/** Do two values of plain data say the same? */

/** As JSON: what the engine sends is plain data, with its fields in one order. */
export const isSameValue = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
