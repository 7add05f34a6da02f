/** `undo-draw` of `undoDrawResult`. */
export const operatorOf = ({ name }: { readonly name: string }) => ({
  who: 'an',
  what: name
    .replace(/(Result|Member|Ticket|Event)$/, '')
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  why: 'two accounts',
})
