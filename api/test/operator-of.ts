/** `undo-draw` of `undoDrawResult`. */
export const operatorOf = ({ name }: { readonly name: string }) => ({
  who: 'an',
  what: name
    .replace(/(Result|Member|Tickets?|Event)$/, '')
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  why: 'two accounts',
})
