import type { PageProps } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { Button } from '@anniversary/shared/ui/Button'
import { Panel } from '@anniversary/shared/ui/Panel'
import styles from './TemplatePage.module.css'
import { texts } from './texts.ts'

export default function TemplatePage({ host }: PageProps) {
  return (
    <Panel className={styles.page}>
      <h1>{texts.title}</h1>
      <p>{texts.intro}</p>
      <Button variant="secondary" onClick={() => host.navigate(paths.landing)}>
        {texts.back}
      </Button>
    </Panel>
  )
}
