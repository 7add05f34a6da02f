/**
 * Copies a text to the clipboard.
 * @returns false where the browser refuses (no permission, no secure context, an old in-app browser)
 */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
