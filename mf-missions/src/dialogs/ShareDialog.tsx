import type { Host } from '@anniversary/shared/contract/host'
import { Button } from '@anniversary/shared/ui/Button'
import { FormDialog } from '@anniversary/shared/ui/FormDialog'
import { TextField } from '@anniversary/shared/ui/TextField'
import { useState } from 'react'
import { Overlay } from '../Overlay.tsx'
import { isShareLink, readDraft, saveDraft } from '../store/share-links.ts'
import { texts } from '../texts.ts'
import { copyWithToast } from './copy-with-toast.ts'

export interface ShareDialogProps {
  host: Host
  busy: boolean
  problem: string | null
  onSubmit(links: readonly string[]): void
  onClose(): void
}

/** Form of the share mission: copies the event's link, takes four links of posts (specification, sections 2 and 5). */
export function ShareDialog({ host, busy, problem, onSubmit, onClose }: ShareDialogProps) {
  const { shareHost, eventUrl = `${location.origin}/` } = host.config
  const username = host.session.current()?.username ?? ''
  const [links, setLinks] = useState(() => readDraft(username))
  /** From the first attempt with errors on. */
  const [showErrors, setShowErrors] = useState(false)
  const wrong = links.map((link) => !isShareLink(link, shareHost))

  const change = (index: number, link: string) => {
    const next = links.map((old, at) => (at === index ? link : old))
    setLinks(next)
    saveDraft(username, next)
  }
  const copy = () => copyWithToast(eventUrl, texts.linkCopied, host.notify)
  /** Opens the phone's own share sheet, which many desktop browsers lack. */
  const shareByPhone = () =>
    navigator.share({ url: eventUrl }).catch((error: unknown) => {
      const isCancelled = error instanceof DOMException && error.name === 'AbortError'
      if (!isCancelled) return copy()
    })
  const submit = (form: HTMLFormElement) => {
    const first = wrong.indexOf(true)
    setShowErrors(first >= 0)
    if (first < 0) return onSubmit(links)
    host.notify.error(texts.shareInvalid)
    form.querySelectorAll('input')[first]?.focus()
  }

  return (
    <FormDialog
      title={texts.shareTitle}
      lead={texts.shareLead}
      submitLabel={texts.shareSubmit}
      busy={busy}
      problem={showErrors && wrong.includes(true) ? texts.shareInvalid : problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <Button variant="secondary" onClick={copy}>
        {texts.copyLink}
      </Button>
      {'share' in navigator && (
        <Button variant="secondary" onClick={shareByPhone}>
          {texts.shareLink}
        </Button>
      )}
      {links.map((link, index) => (
        <TextField
          // biome-ignore lint/suspicious/noArrayIndexKey: four fixed places
          key={index}
          label={texts.shareUrl(index + 1)}
          type="url"
          inputMode="url"
          autoComplete="off"
          required
          value={link}
          error={showErrors && wrong[index] ? texts.linkWrong(shareHost) : undefined}
          onChange={(event) => change(index, event.target.value)}
        />
      ))}
      {busy && <Overlay text={texts.processing} />}
    </FormDialog>
  )
}
