import { createFakeHost } from '@anniversary/shared/testing/fake-host'
import { act, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
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

// What `npm run dev` of this package shows.
test.each(Object.entries(scenarios))('the scenario %s shows the page', async (_name, scenario) => {
  render(<MegalivePage host={createFakeHost(scenario)} />)
  await act(async () => {})
  expect(screen.getByRole('heading', { level: 1 })).toBeInTheDocument()
})
