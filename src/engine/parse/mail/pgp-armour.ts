/** Which words of a text stand in the clear, where PGP put its armour around them (RFC 9580, 6 and 7)? */

const SECRET = /-----BEGIN PGP MESSAGE-----[\s\S]*?(?:-----END PGP MESSAGE-----|$)/g;
const SIGNATURE = /-----BEGIN PGP SIGNATURE-----[\s\S]*?(?:-----END PGP SIGNATURE-----|$)/g;
const SIGNED = /-----BEGIN PGP SIGNED MESSAGE-----\r?\n(?:[\w-]+: .*\r?\n)*\r?\n?/g;

/** The text without armour, signatures and secrets; isEncrypted: there was a secret. */
export function withoutArmour(text: string): { text: string; isEncrypted: boolean } {
  if (!text.includes('-----BEGIN PGP')) return { text, isEncrypted: false };
  const isEncrypted = text.includes('-----BEGIN PGP MESSAGE-----');
  const clear = text.replaceAll(SECRET, '').replaceAll(SIGNATURE, '');
  // Lines of a signed text that begin with a dash were given "- " in front.
  const isSigned = clear.includes('-----BEGIN PGP SIGNED MESSAGE-----');
  const words = clear.replaceAll(SIGNED, '');
  return { text: isSigned ? words.replaceAll(/^- (?=-)/gm, '') : words, isEncrypted };
}
