/**
 * Characters that show nothing: zero width, direction marks, fillers, variation
 * selectors.
 */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * Removes what nobody sees and turns every blank into a space. The text keeps
 * its letters and its length otherwise.
 */
export const visibleText = (text: string): string =>
  text
    .replace(INVISIBLE, '')
    .replace(/[\s\p{Z}]/gu, ' ')
    .trim()

export const composedText = (text: string): string =>
  // An invisible character between a letter and its mark would keep them apart.
  visibleText(text).normalize('NFKC').trim()

/** Returns the text composed, without invisible characters or blanks around it. */
export const accountName = (text: string): string => visibleText(text).normalize('NFC')

/**
 * True for a letter that a Vietnamese input method writes, such as `ư` where
 * `w` was typed.
 */
export const hasVietnameseLetter = (text: string): boolean =>
  /[\u0300-\u0323đ]/i.test(text.normalize('NFD'))
