import { CLAIM_DELAY_MS } from '@anniversary/shared/contract/event'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { Banner } from '../layout/Banner.tsx'
import { basePath } from '../loader/base-path.ts'
import { texts } from '../texts.ts'
import { claimsAnswered, claimsSettled } from './claims-in-flight.ts'
import { newVersion, watchComposition } from './watch-composition.ts'

/** Claims are sent 1 s after the tap. Wait a bit longer, so a claim tapped just before has been sent. */
const WAIT_MS = CLAIM_DELAY_MS + 200

export interface NewVersionBannerProps {
  readonly number: number
  readonly onSwitchedOff: (remotes: ReadonlySet<string>) => void
  readonly reload: () => void
}

/** Offers a reload when the site has changed under an open page, which keeps its parts until then. */
export function NewVersionBanner({ number, onSwitchedOff, reload }: NewVersionBannerProps) {
  const { isNewer } = useStore(newVersion)
  const [text, setText] = useState(texts.newVersion.text)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    // A preview stays as it was made.
    if (basePath()) return
    return watchComposition(number, onSwitchedOff)
  }, [number, onSwitchedOff])
  // Not while a claim is in flight: its codes are about to show, and the member should see them.
  const onPress = async () => {
    setBusy(true)
    const before = claimsAnswered()
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    await claimsSettled()
    if (claimsAnswered() === before) return reload()
    setText(texts.newVersion.afterClaim)
    setBusy(false)
  }
  return (
    <Banner
      text={isNewer ? text : null}
      action={{ label: texts.newVersion.reload, busy, onPress: () => void onPress() }}
    />
  )
}
