/** A click that opens a link here: neither in a new tab nor as a download. */
export const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && ![metaKey, ctrlKey, shiftKey, altKey].includes(true)
