import { isReadyMessage } from './ready-message.ts'

test.each([[{ type: 'mega-live:ready' }], ['mega-live:ready'], ['ready'], [{ type: 'ready', more: 1 }]])(
  '%j is the word',
  (data) => expect(isReadyMessage(data)).toBe(true),
)

test.each([
  [undefined],
  [null],
  [''],
  ['not ready'],
  [{}],
  [{ type: 'mega-live:resize' }],
  [[]],
  [1],
  [{ type: { type: 'ready' } }],
])('%j is not', (data) => expect(isReadyMessage(data)).toBe(false))
