import { reloadPage } from '@anniversary/shared/client/leaving'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { basePath } from '../loader/base-path.ts'
import { shellTexts as texts } from '../texts.ts'
import { Banner } from './Banner.tsx'
import { newVersionStore, type WatchedPage, watchComposition } from './watch-composition.ts'

interface NewVersionBannerProps {
  readonly page: WatchedPage
  onSwitchedOff(remotes: ReadonlySet<string>): void
}

/** The page keeps its releases until the reload. */
export function NewVersionBanner({ page, onSwitchedOff }: NewVersionBannerProps) {
  const { isNewer } = useStore(newVersionStore)
  useEffect(() => {
    // A preview never changes.
    if (basePath()) return
    return watchComposition(page, onSwitchedOff)
  }, [page, onSwitchedOff])
  if (!isNewer) return null
  const { text, reload } = texts.newVersion
  return <Banner text={text} label={reload} onPress={reloadPage} />
}
