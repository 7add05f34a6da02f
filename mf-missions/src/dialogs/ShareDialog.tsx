import type { Host } from '@anniversary/shared/contract/host'
import {
  linkAddressesIn,
  linkProblemText,
  readShareLinks,
} from '@anniversary/shared/readers/share-links'
import { afterPaint } from '@anniversary/shared/ui/after-paint'
import { Button } from '@anniversary/shared/ui/Button'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { FormDialog } from '@anniversary/shared/ui/FormDialog'
import { TextField } from '@anniversary/shared/ui/TextField'
import { type ClipboardEvent, type MouseEvent, useRef, useState } from 'react'
import { Overlay } from '../Overlay.tsx'
import { readShareDraft, saveShareDraft } from '../store/share-links.ts'
import { formTexts as texts } from './form-texts.ts'
import styles from './ShareDialog.module.css'

interface ShareDialogProps {
  host: Host
  busy: boolean
  problem: string | null
  onSubmit(links: readonly string[]): void
  onClose(): void
}

const linksOf = (form: HTMLFormElement) => new FormData(form).getAll('link').map(String)

/**
 * Fills this field and empty ones in order. With too few of them, the text
 * stays.
 */
function spreadLinks(field: HTMLInputElement, text: string) {
  const found = linkAddressesIn(text)
  const fields = [...(field.form?.querySelectorAll('input') ?? [])]
  const at = fields.indexOf(field)
  const free = [...fields.slice(at), ...fields.slice(0, at)]
    .filter((one) => one === field || one.value.trim() === '')
    .slice(0, found.length)
  if (free.length < found.length) {
    field.value = text
    return
  }
  const places = fields.filter((one) => free.includes(one))
  for (const [place, link] of found.entries()) {
    const free = places[place]
    if (free) free.value = link
  }
}

/**
 * Enters a text as if it was typed. Of a title and its link, the link alone.
 */
function enter(field: HTMLInputElement, text: string) {
  if (linkAddressesIn(text).length > 0) spreadLinks(field, text)
  else field.value = text.trim()
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

export function ShareDialog({ host, busy, problem, onSubmit, onClose }: ShareDialogProps) {
  const { shareHost, eventUrl } = host.config
  const link = eventUrl ?? `${location.origin}/`
  const username = host.session.current()?.username ?? ''
  const [draft] = useState(() => readShareDraft(username))
  const [links, setLinks] = useState<readonly string[]>(draft)
  const shown = useRef<HTMLSpanElement>(null)
  const [tried, setTried] = useState(false)
  // The server reads them with the same function.
  const readings = readShareLinks(links, shareHost)
  const isWrong = tried && readings.some(({ problem }) => problem)

  const onInput = (form: HTMLFormElement) => {
    for (const [index, field] of form.querySelectorAll('input').entries()) {
      // Who types letter by letter is not done with the second link.
      const isAtOnce = field.value.length - (links[index]?.length ?? 0) > 1
      if (isAtOnce && linkAddressesIn(field.value).length > 1) spreadLinks(field, field.value)
    }
    const typed = linksOf(form)
    saveShareDraft(username, typed)
    setLinks(typed)
  }
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text')
    // An input field would join the lines of a title and its link.
    if (!text.trim().includes('\n')) return
    event.preventDefault()
    enter(event.currentTarget, text)
  }
  const paste = async ({
    currentTarget: { form, value: place },
  }: MouseEvent<HTMLButtonElement>) => {
    const field = form?.querySelectorAll('input')[Number(place)]
    // Where the member or the browser refuses or never answers, the focused
    // field allows a paste by hand.
    field?.focus()
    const text = await navigator.clipboard.readText().catch(() => '')
    if (field && text !== '') enter(field, text)
  }
  const afterLink = (index: number) => {
    if (readings[index]?.problem === undefined)
      return <span className={styles.good} role="img" aria-label={texts.linkGood} />
    // Absent without https, and in older Firefox.
    if (!('readText' in (navigator.clipboard ?? {}))) return null
    return (
      <Button variant="link" value={index} aria-label={texts.pasteLink(index + 1)} onClick={paste}>
        {texts.paste}
      </Button>
    )
  }
  const submit = (form: HTMLFormElement) => {
    // Not the state: autofill may have raised no event.
    const typed = linksOf(form)
    const read = readShareLinks(typed, shareHost)
    const good = read.filter((reading) => reading.problem === undefined)
    if (good.length === read.length) return onSubmit(good.map(({ link }) => link))
    afterPaint(() => {
      setLinks(typed)
      setTried(true)
      host.notify.error(texts.shareInvalid)
      form.querySelectorAll('input')[read.findIndex(({ problem }) => problem)]?.focus()
    })
  }

  return (
    <FormDialog
      title={texts.shareTitle}
      lead={texts.shareLead}
      submitLabel={texts.shareSubmit}
      busy={busy}
      problem={isWrong ? texts.shareInvalid : problem}
      onInput={onInput}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={styles.ways}>
        {/(^|\.)facebook\.com$/i.test(shareHost) && (
          <Button
            className={styles.facebook}
            href={`https://www.facebook.com/sharer/sharer.php?u=${encodeURIComponent(link)}`}
            target="_blank"
            rel="noopener noreferrer"
          >
            {texts.facebook}
          </Button>
        )}
        <Button
          variant="secondary"
          onClick={() => copyText(link, texts.linkCopied, host.notify, shown.current)}
        >
          {texts.copyLink}
        </Button>
        {/* As text, so that it can be copied by hand. */}
        <span ref={shown} className={styles.link} translate="no">
          {link}
        </span>
      </div>
      {draft.map((text, index) => (
        <TextField
          // biome-ignore lint/suspicious/noArrayIndexKey: four fixed places
          key={index}
          label={texts.shareUrl(index + 1)}
          type="url"
          inputMode="url"
          autoComplete="off"
          required
          name="link"
          defaultValue={text}
          onPaste={onPaste}
          error={tried ? linkProblemText(readings[index], shareHost) : undefined}
          after={afterLink(index)}
        />
      ))}
      <Overlay isShown={busy} />
    </FormDialog>
  )
}
