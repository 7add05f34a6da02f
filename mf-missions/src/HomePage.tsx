import type { PageProps } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { Button } from '@anniversary/shared/ui/Button'
import { useHydrated } from '@anniversary/shared/ui/use-hydrated'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { MissionSection } from './cards/MissionSection.tsx'
import { EventClock } from './clock/EventClock.tsx'
import { HomeDialogs } from './dialogs/HomeDialogs.tsx'
import styles from './HomePage.module.css'
import { Overlay } from './Overlay.tsx'
import { type HomeState, isForm, stageTickets } from './store/home-state.ts'
import { createHomeStore } from './store/home-store.ts'
import { texts } from './texts.ts'

const loadLater = () => import(/* webpackChunkName: "later" */ './later.ts')
export type Later = Awaited<ReturnType<typeof loadLater>>

/** Loads the rest of the page behind the missions, and again with the press that needs it. */
function useLater({ missions, dialog }: HomeState, onFailure: () => void): Later | undefined {
  const [later, setLater] = useState<Later>()
  const wanted = missions !== null
  const needed = isForm(dialog)
  const failed = useEffectEvent(onFailure)
  useEffect(() => {
    if (!wanted || later) return
    let current = true
    loadLater().then(
      (loaded) => current && setLater(loaded),
      () => current && needed && failed(),
    )
    return () => {
      current = false
    }
  }, [wanted, needed, later])
  return later
}

/** /home: the missions, and all that a member does with them (specification, sections 2 to 5). */
export default function HomePage({ host }: PageProps) {
  const [store] = useState(() => createHomeStore(host))
  useEffect(() => store.connect(), [store])
  const state = useSyncExternalStore(store.subscribe, store.state, store.state)
  // Known only in the browser: this page is prerendered for every member.
  const account = useHydrated() && host.session.current()?.username
  const later = useLater(state, () => {
    host.notify.error(texts.formNotLoaded)
    store.closeDialog()
  })
  const { missions } = state
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <Button variant="ghost" className={styles.back} data-path={paths.login} onClick={store.logOut}>
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
        <p className={styles.account}>
          {account && (
            <>
              {texts.account} <b translate="no">{account}</b>
            </>
          )}
          {missions && ` · ${texts.stageTickets(stageTickets(missions))}`}
        </p>
      </div>
      <EventClock clock={host.clock} known={missions !== null} onMoment={store.reloadSoon} />
      <MissionSection host={host} state={state} store={store} />
      {later && (
        <div className={styles.prizes}>
          <later.Prizes heading="h2" results={state.results} />
        </div>
      )}
      <HomeDialogs host={host} state={state} store={store} later={later} />
      {(isForm(state.dialog) ? !later : state.busy !== null) && <Overlay text={texts.processing} />}
    </div>
  )
}
