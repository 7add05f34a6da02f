import { useEffect, useState } from 'react'
import { Banner } from '../layout/Banner.tsx'
import { basePath } from '../loader/base-path.ts'
import { texts } from '../texts.ts'
import type { Claims } from './claims-in-flight.ts'
import { reloadWhenQuiet } from './reload-when-quiet.ts'
import { type CompositionWatcher, watchComposition } from './watch-composition.ts'

export interface NewVersionBannerProps {
  /** Number of the composition that this page runs, for its whole life. */
  readonly number: number
  readonly onSwitchedOff?: CompositionWatcher['onSwitchedOff'] | undefined
  readonly claims: Claims
  readonly reload: () => void
}

/**
 * Offers a reload when the site has changed under an open page. The page itself never changes its parts, but for those
 * that were switched off.
 */
export function NewVersionBanner({ number, onSwitchedOff, claims, reload }: NewVersionBannerProps) {
  const [text, setText] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    // A preview stays as it was made.
    if (basePath()) return
    return watchComposition(number, { onNewer: () => setText(texts.newVersion.text), onSwitchedOff })
  }, [number, onSwitchedOff])
  const onPress = async () => {
    setBusy(true)
    if (await reloadWhenQuiet(claims, reload)) return
    setText(texts.newVersion.afterClaim)
    setBusy(false)
  }
  return (
    <Banner text={text} action={{ label: texts.newVersion.reload, busy, onPress: () => void onPress() }} />
  )
}
