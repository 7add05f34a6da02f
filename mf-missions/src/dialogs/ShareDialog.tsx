import type { Host } from '@anniversary/shared/contract/host'
import { afterPaint } from '@anniversary/shared/ui/after-paint'
import { Button } from '@anniversary/shared/ui/Button'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { FormDialog } from '@anniversary/shared/ui/FormDialog'
import { TextField } from '@anniversary/shared/ui/TextField'
import { type ClipboardEvent, type MouseEvent, useState } from 'react'
import { Overlay } from '../Overlay.tsx'
import { isShareLink, linksIn, readDraft, saveDraft } from '../store/share-links.ts'
import { texts } from './form-texts.ts'
import styles from './ShareDialog.module.css'

interface ShareDialogProps {
  host: Host
  busy: boolean
  problem: string | null
  onSubmit(links: readonly string[]): void
  onClose(): void
}

/** Form of the share mission: shares the event's link, takes four links of posts (specification, sections 2 and 5). */
export function ShareDialog({ host, busy, problem, onSubmit, onClose }: ShareDialogProps) {
  const { shareHost, eventUrl } = host.config
  const link = eventUrl ?? `${location.origin}/`
  const username = host.session.current()?.username ?? ''
  const [draft] = useState(() => readDraft(username))
  const [links, setLinks] = useState<readonly string[]>(draft)
  const [tried, setTried] = useState(false)
  const isGood = (text: string) => isShareLink(text, shareHost)
  const isWrong = tried && !links.every(isGood)

  const onInput = (form: HTMLFormElement) => {
    const typed = new FormData(form).getAll('link').map(String)
    saveDraft(username, typed)
    setLinks(typed)
  }
  /** Enters a link, or each of several in a field of its own. */
  const enter = (field: HTMLInputElement, text: string) => {
    const found = linksIn(text)
    const fields = [...(field.form?.querySelectorAll('input') ?? [])]
    const from = found.length < fields.length ? fields.indexOf(field) : 0
    for (const [place, link] of found.entries()) {
      const at = fields[from + place]
      if (at) at.value = link
    }
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text')
    if (linksIn(text).length === 1) return
    event.preventDefault()
    enter(event.currentTarget, text)
  }
  const paste = async ({
    currentTarget: { form, value: place },
  }: MouseEvent<HTMLButtonElement>) => {
    const field = form?.querySelectorAll('input')[Number(place)]
    // Refused by the member or the browser: then the field has the focus, for a paste by hand.
    const text = await navigator.clipboard.readText().catch(() => '')
    field?.focus()
    if (field && text !== '') enter(field, text)
  }
  const submit = (form: HTMLFormElement) => {
    if (links.every(isGood)) return onSubmit(links)
    afterPaint(() => {
      setTried(true)
      host.notify.error(texts.shareInvalid)
      form.querySelectorAll('input')[links.findIndex((text) => !isGood(text))]?.focus()
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
        <Button variant="secondary" onClick={() => copyText(link, texts.linkCopied, host.notify)}>
          {texts.copyLink}
        </Button>
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
          error={tried && !isGood(links[index] ?? '') ? texts.linkWrong(shareHost) : undefined}
          after={
            isGood(links[index] ?? '') ? (
              <span className={styles.good} role="img" aria-label={texts.linkGood} />
            ) : (
              // Absent without https, and in older Firefox.
              'readText' in (navigator.clipboard ?? {}) && (
                <Button
                  variant="link"
                  value={index}
                  aria-label={texts.pasteLink(index + 1)}
                  onClick={paste}
                >
                  {texts.paste}
                </Button>
              )
            )
          }
        />
      ))}
      {busy && <Overlay />}
    </FormDialog>
  )
}
