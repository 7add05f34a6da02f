import { formatEventTime } from '../contract/event-time.ts'
import { lastDrawBegun } from '../contract/event-timeline.ts'
import type { FrozenList, Host } from '../contract/host.ts'
import { eventTexts } from '../texts.ts'
import styles from './DrawList.module.css'

const texts = eventTexts.list

const inGroups = (digest: string): string => digest.replace(/(.{4})(?=.)/g, '$1 ')

interface DrawListProps {
  readonly host: Host
  readonly list: FrozenList
}

export function DrawList({ host, list }: DrawListProps) {
  const { draw, count, sha256, frozenAt } = list
  const isPublic = draw <= lastDrawBegun(host.clock.now())
  return (
    <details className={styles.list}>
      <summary>
        {texts.summary(draw, count.toLocaleString('vi-VN'), inGroups(sha256.slice(0, 8)))}
      </summary>
      <p>{texts.about(formatEventTime(frozenAt))}</p>
      <p className={styles.digest} translate="no">
        {inGroups(sha256)}
      </p>
      {isPublic ? (
        <p>
          <a
            href={`${host.config.apiBase}/client/draws/${draw}/list`}
            target="_blank"
            rel="noreferrer"
          >
            {texts.file}
          </a>
        </p>
      ) : (
        <p>{texts.fileLater}</p>
      )}
    </details>
  )
}
