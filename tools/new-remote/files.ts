/** The files of a new remote: a page that works, its test, its harness. Small enough to be read and changed at once. */

export interface NewRemote {
  /** `mf-winners`. */
  readonly name: string
  /** Of `npm run dev`. */
  readonly port: number
  /** The versions that this repository's packages ask for, by name. */
  readonly ranges: Readonly<Record<string, string>>
}

/** `mf-lucky-winners` → `LuckyWinners`. */
export const pageName = (name: string): string =>
  name
    .replace(/^mf-/, '')
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** `mf-lucky-winners` → `/lucky-winners`. */
export const routeOf = (name: string): string => `/${name.replace(/^mf-/, '')}`

/** Import lines in the order that the lint asks for: by path, whatever the page is called. */
function inOrder(...lines: readonly string[]): string {
  const path = (line: string) => (/'(.+)'/.exec(line)?.[1] ?? '').toLowerCase()
  return [...lines].sort((a, b) => (path(a) < path(b) ? -1 : 1)).join('\n')
}

/** @returns content by path below the remote's folder */
export function remoteFiles({ name, port, ranges }: NewRemote): Record<string, string> {
  const page = `${pageName(name)}Page`
  const manifest = {
    name: `@anniversary/${name}`,
    version: '1.0.0',
    private: true,
    type: 'module',
    scripts: { build: 'rspack build', dev: 'remote-dev', types: 'tsc --noEmit' },
    dependencies: { '@anniversary/shared': '1.0.0', react: ranges.react },
    devDependencies: Object.fromEntries(
      ['@testing-library/react', '@testing-library/user-event'].map((tool) => [tool, ranges[tool]]),
    ),
  }
  return {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'tsconfig.json': `{
  "extends": "../tsconfig.web.json",
  "include": ["src", "../shared/src/css.d.ts"]
}
`,
    'rspack.config.js': `import { remote } from '../rspack.base.js'

export default remote({
  dir: import.meta.dirname,
  port: ${port},
  exposes: { './${page}': './src/${page}.tsx' },
})
`,
    [`src/${page}.tsx`]: `import type { PageProps } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { Button } from '@anniversary/shared/ui/Button'
import { Panel } from '@anniversary/shared/ui/Panel'
${inOrder(`import styles from './${page}.module.css'`, "import { texts } from './texts.ts'")}

export default function ${page}({ host }: PageProps) {
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
`,
    [`src/${page}.module.css`]: `@layer page {
  .page {
    display: grid;
    gap: var(--space-4);
    max-width: 30rem;
    margin-inline: auto;
  }
}
`,
    [`src/${page}.test.tsx`]: `import { createFakeHost } from '@anniversary/shared/testing/fake-host'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
${inOrder("import { texts } from './texts.ts'", `import ${page} from './${page}.tsx'`)}

test('shows its title and leads back', async () => {
  const host = createFakeHost()
  render(<${page} host={host} />)
  expect(screen.getByRole('heading', { name: texts.title })).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: texts.back }))
  expect(host.visited()).toEqual(['/'])
})
`,
    'src/texts.ts': `/** Every Vietnamese text of this remote. */
export const texts = {
  title: 'Trang mới',
  intro: 'Nội dung sẽ sớm có mặt.',
  back: 'Quay về',
}
`,
    'src/fixtures.ts': `import type { FakeHostOptions } from '@anniversary/shared/testing/fake-host'

/** States of the page to look at in the harness. */
export const scenarios: Record<string, FakeHostOptions> = {
  'Điển hình': {},
}
`,
    'src/harness.ts': `import { runHarness } from '@anniversary/shared/harness/run-harness'
${inOrder("import { scenarios } from './fixtures.ts'", `import ${page} from './${page}.tsx'`)}

runHarness({ pages: { '${routeOf(name)}': ${page} }, scenarios })
`,
  }
}
