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
  const { shareHost, eventUrl } = host.config
  const link = eventUrl ?? `${location.origin}/`
  const username = host.session.current()?.username ?? ''
  const [draft] = useState(() => readDraft(username))
  /** For each link, from the first attempt on. */
  const [wrong, setWrong] = useState<readonly boolean[]>()
  const linksIn = (form: HTMLFormElement) => new FormData(form).getAll('link').map(String)
  const wrongIn = (form: HTMLFormElement) => linksIn(form).map((link) => !isShareLink(link, shareHost))

  const onInput = (form: HTMLFormElement) => {
    saveDraft(username, linksIn(form))
    if (wrong) setWrong(wrongIn(form))
  }
  const copy = () => copyWithToast(link, texts.linkCopied, host.notify)
  /** Opens the phone's own share sheet, which many desktop browsers lack. */
  const shareByPhone = () =>
    navigator.share({ url: link }).catch((error: unknown) => {
      const isCancelled = error instanceof DOMException && error.name === 'AbortError'
      if (!isCancelled) return copy()
    })
  const submit = (form: HTMLFormElement) => {
    const found = wrongIn(form)
    setWrong(found)
    if (!found.includes(true)) return onSubmit(linksIn(form))
    host.notify.error(texts.shareInvalid)
    form.querySelectorAll('input')[found.indexOf(true)]?.focus()
  }

  return (
    <FormDialog
      title={texts.shareTitle}
      lead={texts.shareLead}
      submitLabel={texts.shareSubmit}
      busy={busy}
      problem={wrong?.includes(true) ? texts.shareInvalid : problem}
      onInput={onInput}
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
          error={wrong?.[index] ? texts.linkWrong(shareHost) : undefined}
        />
      ))}
      {busy && <Overlay text={texts.processing} />}
    </FormDialog>
  )
}
