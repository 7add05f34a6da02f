import { createFakeHost } from '@anniversary/shared/testing/fake-host'
import { render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import MegalivePage from './MegalivePage.tsx'
import { embedTexts } from './texts.ts'

function open(options = {}) {
  const host = createFakeHost(options)
  const { container } = render(
    <StrictMode>
      <MegalivePage host={host} />
    </StrictMode>,
  )
  return { host, embed: container.querySelector('mega-live') }
}

// spec: megalive-configured
test('the page embeds the configured address with a link back', () => {
  const { host, embed } = open({ config: { megaliveUrl: 'https://live.example/x?y=1' } })
  expect(screen.getByRole('heading', { level: 1, name: embedTexts.pageTitle })).toHaveAttribute(
    'tabindex',
    '-1',
  )
  // Nothing of the session goes into that address.
  expect(embed?.shadowRoot?.querySelector('iframe')).toHaveAttribute(
    'src',
    'https://live.example/x?y=1',
  )
  const back = embed?.shadowRoot?.querySelector<HTMLAnchorElement>('a.back')
  expect(back).toHaveTextContent(embedTexts.back)
  back?.click()
  expect(host.visited()).toEqual(['/'])
})
