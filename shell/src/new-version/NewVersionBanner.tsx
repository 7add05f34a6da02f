import { useEffect } from 'react'
import { useStore } from 'zustand'
import { Banner } from '../layout/Banner.tsx'
import { basePath } from '../loader/base-path.ts'
import { texts } from '../texts.ts'
import { newVersion, watchComposition } from './watch-composition.ts'

interface NewVersionBannerProps {
  readonly number: number
  readonly onSwitchedOff: (remotes: ReadonlySet<string>) => void
  readonly reload: () => void
}

/** Offers a reload when the site has changed under an open page, which keeps its parts until then. */
export function NewVersionBanner({ number, onSwitchedOff, reload }: NewVersionBannerProps) {
  const { isNewer } = useStore(newVersion)
  useEffect(() => {
    // A preview stays as it was made.
    if (basePath()) return
    return watchComposition(number, onSwitchedOff)
  }, [number, onSwitchedOff])
  if (!isNewer) return null
  const { text, reload: label } = texts.newVersion
  return <Banner text={text} action={{ label, onPress: reload }} />
}
