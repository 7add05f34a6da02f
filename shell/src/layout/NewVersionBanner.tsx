import { useEffect } from 'react'
import { useStore } from 'zustand'
import { basePath } from '../loader/base-path.ts'
import { texts } from '../texts.ts'
import { Banner } from './Banner.tsx'
import { newVersion, watchComposition } from './watch-composition.ts'

interface NewVersionBannerProps {
  /** Number of the page's composition. */
  readonly number: number
  onSwitchedOff(remotes: ReadonlySet<string>): void
}

/** Offers a reload when another composition is deployed. The page keeps its releases until then. */
export function NewVersionBanner({ number, onSwitchedOff }: NewVersionBannerProps) {
  const { isNewer } = useStore(newVersion)
  useEffect(() => {
    // A preview never changes.
    if (basePath()) return
    return watchComposition(number, onSwitchedOff)
  }, [number, onSwitchedOff])
  if (!isNewer) return null
  const { text, reload } = texts.newVersion
  return <Banner text={text} label={reload} onPress={() => location.reload()} />
}
