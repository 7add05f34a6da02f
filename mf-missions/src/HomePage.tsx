import type { PageProps } from '@anniversary/shared/contract/host'
import { ATTRIBUTES } from '@anniversary/shared/contract/page-names'
import { paths } from '@anniversary/shared/contract/paths'
import { AccountLine } from '@anniversary/shared/ui/AccountLine'
import { Button } from '@anniversary/shared/ui/Button'
import { Countdown } from '@anniversary/shared/ui/Countdown'
import { useChunk } from '@anniversary/shared/ui/use-chunk'
import { useEventMoments } from '@anniversary/shared/ui/use-event-time'
import { useResultNews } from '@anniversary/shared/ui/use-result-news'
import { useDeferredValue, useEffect, useState, useSyncExternalStore } from 'react'
import { MissionSection } from './cards/MissionSection.tsx'
import styles from './HomePage.module.css'
import { Overlay } from './Overlay.tsx'
import { type HomeState, hasDrawNews, isFormDialog } from './store/home-state.ts'
import { createHomeStore } from './store/home-store.ts'
import { missionTexts as texts } from './texts.ts'

const loadPrizes = () => import(/* webpackChunkName: "prizes" */ '@anniversary/shared/ui/Prizes')
const loadExtras = () => import(/* webpackChunkName: "extras" */ './HomeExtras.tsx')
const loadNews = () => import(/* webpackChunkName: "news" */ './DrawNews.tsx')
const loadDialogs = () => import(/* webpackChunkName: "dialogs" */ './dialogs/HomeDialogs.tsx')

/** /home (specification, sections 2 to 5). */
export default function HomePage({ host }: PageProps) {
  const [store] = useState(() => createHomeStore(host))
  useEffect(() => store.connect(), [store])
  const state = useSyncExternalStore(store.subscribe, store.state, store.state)
  const { missions, next, dialog, busy } = state
  useEventMoments(host.clock, missions !== null, store.afterMoments, {
    next: next?.at,
    onTurn: store.turn,
  })
  useResultNews(host, missions ? state.results : undefined, store.reloadResults)
  // Deferred, because React runs the effects of an urgent render before its
  // paint.
  const extras = useChunk(loadExtras, useDeferredValue(missions))
  const prizes = useChunk(loadPrizes, useDeferredValue(missions))
  // Each new list tries a failed load again.
  const news = useChunk(loadNews, hasDrawNews(state) && missions)
  // After what the page shows, so that a press opens its dialog without a
  // request.
  const dialogs = useChunk(loadDialogs, dialog ?? busy ?? prizes, store.giveUpDialog)
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <Button
          variant="ghost"
          className={styles.back}
          {...{ [ATTRIBUTES.routePath]: paths.login }}
          onClick={store.logOut}
        >
          {texts.back} <small>{texts.andLogOut}</small>
        </Button>
        <Button variant="link" onClick={host.rules.open}>
          {texts.rules}
        </Button>
        <Button variant="secondary" href={paths.histories}>
          {texts.history}
        </Button>
      </div>
      <div className={styles.head}>
        <h1 tabIndex={-1}>{texts.title}</h1>
        <AccountLine host={host} />
        <p className={styles.tickets}>
          {extras && missions && (
            <extras.StageTickets
              clock={host.clock}
              missions={missions}
              landing={state.landing}
              landed={state.landed}
            />
          )}
        </p>
      </div>
      {news && <news.DrawNews host={host} state={state} />}
      <Clock host={host} state={state} />
      <MissionSection host={host} state={state} store={store} extras={extras} />
      {prizes && (
        <div className={styles.prizes}>
          <prizes.Prizes
            heading="h2"
            results={state.results}
            frozen={{ host, lists: state.lists }}
          />
        </div>
      )}
      {dialogs && <dialogs.HomeDialogs host={host} state={state} store={store} />}
      <Overlay isShown={isBlocked(state, dialogs !== undefined)} />
    </div>
  )
}

/** Its place is kept free until the list has come or failed. */
function Clock({ host, state: { missions, failed } }: PageProps & { state: HomeState }) {
  if (failed && !missions) return null
  return (
    <div className={styles.clock}>
      {missions && (
        <Countdown host={host}>
          <h2>{texts.ended}</h2>
          <p>{texts.endedHint}</p>
        </Countdown>
      )}
    </div>
  )
}

/** While a dialog's code loads or a claim without a form runs. */
function isBlocked({ dialog, busy }: HomeState, hasDialogs: boolean): boolean {
  if (dialog && !hasDialogs) return true
  if (isFormDialog(dialog)) return false
  return busy !== null
}
