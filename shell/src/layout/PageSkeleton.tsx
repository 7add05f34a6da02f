import type { SkeletonKind } from '@anniversary/shared/contract/routes'
import { Skeleton } from '@anniversary/shared/ui/Skeleton'
import { visuallyHidden } from '@anniversary/shared/ui/visually-hidden'
import type { ReactNode } from 'react'
import { shellTexts as texts } from '../texts.ts'
import styles from './PageSkeleton.module.css'

const PLACES: Partial<Record<SkeletonKind, ReactNode>> = {
  form: <Skeleton className={styles.formPlace} />,
  cards: ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
    <Skeleton key={key} className={styles.cardPlace} />
  )),
  table: <Skeleton className={styles.tablePlace} />,
}

export const PageSkeleton = ({ kind = 'form' }: { kind?: SkeletonKind }) => (
  <div className={styles[kind]} role="status">
    <span className={visuallyHidden}>{texts.loading}</span>
    {PLACES[kind]}
  </div>
)
