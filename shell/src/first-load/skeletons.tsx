import { PLACE_MARKS } from '@anniversary/shared/contract/prerendered'
import { SKELETONS, type SkeletonKind } from '@anniversary/shared/contract/routes'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { Landing } from '../landing/Landing.tsx'
import { Banners } from '../layout/Banner.tsx'
import { Layout } from '../layout/Layout.tsx'
import { PageSkeleton } from '../layout/PageSkeleton.tsx'

const PLACE = '%PAGE%'

/**
 * Renders App.tsx's first output as HTML: by path for the landing page, else by
 * skeleton.
 */
export const renderSkeletons = (): Record<string, string> => ({
  '/': around(<Landing />, true),
  ...Object.fromEntries(SKELETONS.map((kind) => [kind, renderSkeleton(kind)])),
})

function renderSkeleton(kind: SkeletonKind): string {
  const skeleton = renderToString(<PageSkeleton kind={kind} />)
  return around(PLACE, kind === 'fullscreen').replace(
    PLACE,
    PLACE_MARKS.start + skeleton + PLACE_MARKS.end,
  )
}

const around = (page: ReactNode, fullscreen: boolean): string =>
  renderToString(
    <>
      <Banners />
      <Layout fullscreen={fullscreen}>{page}</Layout>
    </>,
  )
