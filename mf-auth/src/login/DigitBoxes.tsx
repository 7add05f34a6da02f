import { ATTRIBUTES } from '@anniversary/shared/contract/page-names'
import fieldStyles from '@anniversary/shared/ui/TextField.module.css'
import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { loginTexts as texts } from '../texts/login.ts'
import styles from './DigitBoxes.module.css'
import {
  type Digits,
  type Entry,
  emptyDigits,
  enterText,
  eraseBefore,
  isDigit,
  spreadDigits,
} from './digit-entry.ts'

interface DigitBoxesProps {
  /**
   * Called after each entry.
   * @param refused the box that holds something else than a digit
   */
  onEdit(refused?: number): void
  /** Shown below the boxes; `box` is marked as invalid. */
  error?: { readonly text: string; readonly box: number } | undefined
}

/** Fixed, because the page is prerendered. */
const HINT_ID = 'digits-hint'

const boxesIn = (element: Element | null) => [
  ...(element?.querySelectorAll<HTMLInputElement>(`[${ATTRIBUTES.characterBoxes}] input`) ?? []),
]

export const digitsIn = (form: Element): Digits => boxesIn(form).map(({ value }) => value)

/**
 * Four inputs of one digit each, which hold their digits themselves. No
 * `maxlength`: it would cut a pasted or autofilled "1234" down to its first
 * digit (https://github.com/devfolioco/react-otp-input/issues/322).
 */
export function DigitBoxes({ onEdit, error }: DigitBoxesProps) {
  const errorId = useId()
  const fieldset = useRef<HTMLFieldSetElement>(null)
  const old = useRef('')

  /**
   * Runs within the event: a phone closes its keyboard if the focus moves
   * later.
   */
  const move = (to: number) => boxesIn(fieldset.current)[to]?.focus()

  const enter = (box: HTMLInputElement, read: (digits: Digits, index: number) => Entry) => {
    const boxes = boxesIn(fieldset.current)
    const index = boxes.indexOf(box)
    const before = boxes.map(({ value }, place) => (place === index ? old.current : value))
    const { digits, focus, refused } = read(before, index)
    boxes.forEach((one, place) => {
      one.value = digits[place] ?? ''
    })
    old.current = digits[focus] ?? ''
    move(focus)
    onEdit(refused ? focus : undefined)
  }

  // The native event, since React's has no `inputType`. Phone keyboards without
  // key names ("Unidentified") report deletions only here
  // (https://github.com/vuetifyjs/vuetify/pull/22657). And a digit typed over
  // itself changes nothing, so that no input event would move the focus on.
  const onBeforeInput = useEffectEvent((event: InputEvent) => {
    const { target: box, data, inputType } = event
    if (!(box instanceof HTMLInputElement)) return
    if (inputType === 'deleteContentBackward' && box.value === '') {
      event.preventDefault()
      enter(box, eraseBefore)
    } else if (data === box.value && isDigit(data)) {
      event.preventDefault()
      move(boxesIn(fieldset.current).indexOf(box) + 1)
    }
  })
  useEffect(() => {
    const element = fieldset.current
    const listen = (event: InputEvent) => onBeforeInput(event)
    element?.addEventListener('beforeinput', listen)
    return () => element?.removeEventListener('beforeinput', listen)
  }, [])

  return (
    <fieldset ref={fieldset} className={fieldStyles.field}>
      <legend className={`${fieldStyles.label} ${styles.legend}`}>{texts.digits}</legend>
      <div className={styles.boxes} {...{ [ATTRIBUTES.characterBoxes]: '' }}>
        {emptyDigits.map((_, index) => (
          <input
            // biome-ignore lint/suspicious/noArrayIndexKey: a box is its place
            key={index}
            className={`${fieldStyles.input} ${styles.box}`}
            inputMode="numeric"
            autoComplete="off"
            aria-label={texts.digit(index + 1)}
            aria-invalid={error?.box === index ? true : undefined}
            aria-describedby={error ? errorId : HINT_ID}
            onFocus={({ currentTarget: box }) => {
              old.current = box.value
              box.select()
            }}
            onInput={({ currentTarget: box }) => {
              const { value } = box
              enter(box, (digits, place) => enterText(digits, place, value))
            }}
            onPaste={(event) => {
              event.preventDefault()
              const text = event.clipboardData.getData('text')
              enter(event.currentTarget, (digits, place) => spreadDigits(digits, place, text))
            }}
            onKeyDown={(event) => {
              const { altKey, ctrlKey, metaKey, shiftKey } = event
              if ([altKey, ctrlKey, metaKey, shiftKey].includes(true)) return
              if (event.key === 'ArrowLeft') move(index - 1)
              else if (event.key === 'ArrowRight') move(index + 1)
              else if (event.key === 'Backspace' && event.currentTarget.value === '')
                enter(event.currentTarget, eraseBefore)
              else return
              event.preventDefault()
            }}
          />
        ))}
      </div>
      <p id={HINT_ID} className={`${fieldStyles.hint} ${styles.hint}`}>
        {texts.digitsHint}
      </p>
      {error && (
        <p id={errorId} className={fieldStyles.error}>
          {error.text}
        </p>
      )}
    </fieldset>
  )
}
