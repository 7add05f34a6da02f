import type { PageProps } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { Button } from '@anniversary/shared/ui/Button'
import { LinkButton } from '@anniversary/shared/ui/LinkButton'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { MissionSection } from './cards/MissionSection.tsx'
import { EventClock } from './clock/EventClock.tsx'
import { HomeDialogs } from './dialogs/HomeDialogs.tsx'
import styles from './HomePage.module.css'
import { Overlay } from './Overlay.tsx'
import { isForm } from './store/home-state.ts'
import { createHomeStore } from './store/home-store.ts'
import { texts } from './texts.ts'

/** /home: the missions, and all that a member does with them (specification, sections 2 to 5). */
export default function HomePage({ host }: PageProps) {
  const [store] = useState(() => createHomeStore(host))
  useEffect(() => store.connect(), [store])
  const state = useSyncExternalStore(store.subscribe, store.state, store.state)
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <Button variant="ghost" title={texts.backHint} data-path={paths.login} onClick={store.logOut}>
          {texts.back}
        </Button>
        <LinkButton onClick={() => host.rules.open()}>{texts.rules}</LinkButton>
        <Button
          variant="secondary"
          data-path={paths.histories}
          onClick={() => host.navigate(paths.histories)}
        >
          {texts.history}
        </Button>
      </div>
      <h1 tabIndex={-1}>{texts.title}</h1>
      <EventClock clock={host.clock} known={state.missions !== null} />
      <MissionSection state={state} store={store} />
      <HomeDialogs host={host} state={state} store={store} />
      {state.busy !== null && !isForm(state.dialog) && <Overlay text={texts.processing} />}
    </div>
  )
}
