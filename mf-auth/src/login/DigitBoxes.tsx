import fieldStyles from '@anniversary/shared/ui/TextField.module.css'
import { useId } from 'react'
import { texts } from '../texts/login.ts'
import styles from './DigitBoxes.module.css'
import { type Digits, type Entry, eraseBefore, isDigit, spread, type } from './digit-entry.ts'

export interface DigitBoxesProps {
  digits: Digits
  onEntry(entry: Entry): void
  /** Shown below the boxes; `box` is marked as invalid. */
  error?: { readonly text: string; readonly box: number } | undefined
}

/**
 * Four inputs of one digit each. No `maxlength`: it would cut a pasted or autofilled "1234" down to its first digit
 * (https://github.com/devfolioco/react-otp-input/issues/322).
 */
export function DigitBoxes({ digits, onEntry, error }: DigitBoxesProps) {
  const errorId = useId()

  const boxesBeside = (box: HTMLInputElement) => [
    ...(box.closest('fieldset')?.querySelectorAll('input') ?? []),
  ]
  /** Called in the event itself: if the focus moved later, a phone would close its keyboard. */
  const move = (box: HTMLInputElement, to: number) => boxesBeside(box)[to]?.focus()
  const enter = (box: HTMLInputElement, entry: Entry) => {
    onEntry(entry)
    move(box, entry.focus)
  }

  return (
    <fieldset
      // The native event, since React's has no `inputType`. Phone keyboards without key names ("Unidentified") report
      // deletions only here (https://github.com/vuetifyjs/vuetify/pull/22657). And a digit typed over itself changes
      // nothing, so that no input event would move the focus on.
      ref={(fieldset) => {
        const onBeforeInput = (event: InputEvent) => {
          const box = event.target
          if (!(box instanceof HTMLInputElement) || !fieldset) return
          const index = boxesBeside(box).indexOf(box)
          if (event.inputType === 'deleteContentBackward' && box.value === '') {
            event.preventDefault()
            enter(box, eraseBefore(digits, index))
          } else if (event.data && event.data === box.value && isDigit(event.data)) {
            event.preventDefault()
            move(box, index + 1)
          }
        }
        fieldset?.addEventListener('beforeinput', onBeforeInput)
        return () => fieldset?.removeEventListener('beforeinput', onBeforeInput)
      }}
    >
      <legend className={`${fieldStyles.label} ${styles.legend}`}>{texts.digits}</legend>
      <div className={styles.boxes} data-boxes="">
        {digits.map((digit, index) => (
          <input
            // biome-ignore lint/suspicious/noArrayIndexKey: a box is its place
            key={index}
            className={`${fieldStyles.input} ${styles.box}`}
            inputMode="numeric"
            autoComplete="off"
            aria-label={texts.digit(index + 1)}
            aria-invalid={error?.box === index ? true : undefined}
            aria-describedby={error && errorId}
            value={digit}
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => enter(event.currentTarget, type(digits, index, event.currentTarget.value))}
            onPaste={(event) => {
              event.preventDefault()
              enter(event.currentTarget, spread(digits, index, event.clipboardData.getData('text')))
            }}
            onKeyDown={(event) => {
              if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
              if (event.key === 'ArrowLeft') move(event.currentTarget, index - 1)
              else if (event.key === 'ArrowRight') move(event.currentTarget, index + 1)
              else if (event.key === 'Backspace' && digit === '')
                enter(event.currentTarget, eraseBefore(digits, index))
              else return
              event.preventDefault()
            }}
          />
        ))}
      </div>
      {error && (
        <p id={errorId} className={`${fieldStyles.error} ${styles.error}`}>
          {error.text}
        </p>
      )}
    </fieldset>
  )
}
