import { IDS } from '@anniversary/shared/contract/page-names'
import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { showSiteNotice } from './SiteNotice.tsx'

const TEXT = 'Buổi quay bắt đầu lúc 20:15'

beforeEach(() => {
  jest.useFakeTimers({ now: new Date('2025-09-09T13:00:00Z') })
  document.body.innerHTML = `<div id="${IDS.appRoot}"><div role="status"></div><p role="status"></p></div>`
})
const show = (text?: string, until = '2025-09-09T14:00:00.000Z') =>
  act(() => showSiteNotice(text, Date.parse(until) - Date.now()))

/** Returns the texts that are added to the region from now on. */
function textsAdded(): (string | null)[] {
  const texts: (string | null)[] = []
  const watcher = new MutationObserver((records) => {
    for (const { addedNodes } of records)
      texts.push(...[...addedNodes].map(({ textContent }) => textContent))
  })
  for (const region of screen.getAllByRole('status'))
    watcher.observe(region, { childList: true, subtree: true, characterData: true })
  return texts
}

/* One page: the module keeps its place in the region. */
test('a notice is announced once, ends at its time, and returns with another text', async () => {
  show()
  const announced = textsAdded()
  show(TEXT)
  show(TEXT)
  await jest.advanceTimersByTimeAsync(0)
  expect(announced).toEqual([`${TEXT}×`])
  expect(screen.getAllByRole('status')[0]).toHaveTextContent(TEXT)

  await act(() => jest.advanceTimersByTimeAsync(3_599_999))
  expect(screen.getByText(TEXT)).toBeVisible()
  await act(() => jest.advanceTimersByTimeAsync(1))
  expect(screen.queryByText(TEXT)).toBeNull()
  show(TEXT)
  expect(screen.queryByText(TEXT)).toBeNull()
  show(TEXT, '2025-09-09T15:00:00.000Z')
  expect(screen.getByText(TEXT)).toBeVisible()

  show('Hẹn gặp bạn', '2025-09-09T15:00:00.000Z')
  expect(screen.getByText('Hẹn gặp bạn')).toBeVisible()
  show('Hẹn gặp bạn', '2025-09-09T16:00:00.000Z')
  await act(() => jest.advanceTimersByTimeAsync(3_600_000))
  expect(screen.getByText('Hẹn gặp bạn')).toBeVisible()

  const user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime })
  await user.click(screen.getByRole('button', { name: 'Đóng thông báo' }))
  show('Hẹn gặp bạn', '2025-09-09T16:00:00.000Z')
  expect(screen.queryByText('Hẹn gặp bạn')).toBeNull()

  show('Đang quay', '2025-09-09T16:00:00.000Z')
  show()
  expect(screen.queryByText('Đang quay')).toBeNull()

  show('Đã quay xong', new Date().toISOString())
  expect(screen.queryByText('Đã quay xong')).toBeNull()
})
