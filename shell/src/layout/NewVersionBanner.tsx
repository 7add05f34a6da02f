import { useEffect } from 'react'
import { useStore } from 'zustand'
import { basePath } from '../loader/base-path.ts'
import type { Loader } from '../loader/loader.ts'
import { texts } from '../texts.ts'
import { Banner } from './Banner.tsx'
import { newVersion, watchComposition } from './watch-composition.ts'

/** Offers a reload when another composition is deployed. The page keeps its releases until then. */
export function NewVersionBanner({
  loader,
}: {
  loader: Pick<Loader, 'composition' | 'switchOff'>
}) {
  const { isNewer } = useStore(newVersion)
  useEffect(() => {
    // A preview never changes.
    if (basePath()) return
    return watchComposition(loader.composition.number, loader.switchOff)
  }, [loader])
  if (!isNewer) return null
  const { text, reload } = texts.newVersion
  return <Banner text={text} label={reload} onPress={() => location.reload()} />
}
