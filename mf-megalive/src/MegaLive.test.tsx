import { act, render } from '@testing-library/react'
import { MegaLive } from './MegaLive.tsx'

function embedIn(container: HTMLElement) {
  const embed = container.querySelector('mega-live')
  if (!embed) throw new Error('the embed is not there')
  return embed
}

test('props are attributes, and follow', () => {
  const { container, rerender } = render(
    <MegaLive
      src="https://live.example/"
      timeout={500}
      backHref="/"
      label="Đêm quay số"
      requireReady
      readyOrigins="https://www.live.example"
      className="tall"
    />,
  )
  const embed = embedIn(container)
  expect(embed.outerHTML).toBe(
    '<mega-live src="https://live.example/" timeout="500" back-href="/" label="Đêm quay số" require-ready="" ' +
      'ready-origins="https://www.live.example" class="tall"></mega-live>',
  )
  rerender(<MegaLive src="https://live.example/2" />)
  expect(embed.outerHTML).toBe('<mega-live src="https://live.example/2"></mega-live>')
  expect(embed.shadowRoot?.querySelector('iframe')).toHaveAttribute('src', 'https://live.example/2')
})

test('events reach the newest handler, from the first moment on', async () => {
  const [first, second, back] = [jest.fn(), jest.fn(), jest.fn()]
  const { container, rerender } = render(<MegaLive src="javascript:alert(1)" onRefused={first} />)
  await Promise.resolve()
  expect(first.mock.calls[0]?.[0].detail).toEqual({ reason: 'src' })
  rerender(<MegaLive src="data:text/html,x" onRefused={second} backHref="/" onBack={back} />)
  await Promise.resolve()
  expect(first).toHaveBeenCalledTimes(1)
  expect(second).toHaveBeenCalledTimes(1)
  back.mockImplementation((event: Event) => event.preventDefault())
  act(() => embedIn(container).shadowRoot?.querySelector<HTMLAnchorElement>('a.back')?.click())
  expect(back).toHaveBeenCalledTimes(1)
})
