import { createFakeHost } from '@anniversary/shared/testing/fake-host'
import { render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { defineMegaLive } from './element/define.ts'
import { scenarios } from './fixtures.ts'
import MegalivePage from './MegalivePage.tsx'
import { texts } from './texts.ts'

function open(options = {}) {
  const host = createFakeHost(options)
  const { container, unmount } = render(
    <StrictMode>
      <MegalivePage host={host} />
    </StrictMode>,
  )
  const embed = container.querySelector('mega-live')
  if (!embed?.shadowRoot) throw new Error('the embed is not there')
  return { host, embed, root: embed.shadowRoot, unmount }
}

// spec: megalive-configured
test('embeds the configured page, with the way back to the landing page', () => {
  const { host, embed, root } = open({ config: { megaliveUrl: 'https://live.example/x?y=1' } })
  expect(screen.getByRole('heading', { level: 1, name: texts.pageTitle })).toHaveAttribute('tabindex', '-1')
  expect(embed.phase).toBe('loading')
  // Nothing of the session goes into that address.
  expect(root.querySelector('iframe')).toHaveAttribute('src', 'https://live.example/x?y=1')
  const back = root.querySelector<HTMLAnchorElement>('a.back')
  expect(back).toHaveTextContent(texts.back)
  back?.click()
  expect(host.visited()).toEqual(['/'])
})

test('falls back after ten seconds from mount, also in React’s strict mode', () => {
  jest.useFakeTimers()
  const { root, unmount } = open()
  jest.advanceTimersByTime(9_999)
  expect(root.querySelector('[role=status]')).toHaveTextContent(texts.loading)
  jest.advanceTimersByTime(1)
  expect(root.querySelector('[role=alert]')).toHaveTextContent(texts.unsupported)
  expect(root.querySelector('object')).toBeInTheDocument()
  unmount()
  jest.useRealTimers()
})

test('every scenario of the harness shows something', () => {
  defineMegaLive()
  for (const options of Object.values(scenarios)) {
    const { embed, unmount } = open(options)
    expect(['loading', 'refused']).toContain(embed.phase)
    unmount()
  }
})
