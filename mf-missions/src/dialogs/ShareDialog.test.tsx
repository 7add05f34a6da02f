import { createFakeHost, type FakeHostOptions } from '@anniversary/shared/testing/fake-host'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { ShareDialog } from './ShareDialog.tsx'

afterEach(() => sessionStorage.clear())

const LINKS = [1, 2, 3, 4].map((n) => `https://www.facebook.com/posts/${n}`)

function open(options: FakeHostOptions = {}) {
  const host = createFakeHost(options)
  const onSubmit = jest.fn()
  // Before the render: it installs a clipboard.
  const user = userEvent.setup({ delay: null })
  const page = render(
    <ShareDialog host={host} busy={false} problem={null} onSubmit={onSubmit} onClose={() => {}} />,
  )
  const send = async (links: readonly string[]) => {
    links.forEach(
      (link, index) => void fireEvent.input(field(index + 1), { target: { value: link } }),
    )
    await user.click(screen.getByRole('button', { name: 'Gửi link' }))
  }
  return { ...page, host, user, onSubmit, send }
}

// By its label: jsdom spends milliseconds on each role.
const field = (n: number) =>
  screen.getByLabelText<HTMLInputElement>(new RegExp(`Link bài viết ${n}`))

// spec: four-link-fields
test('the share form asks for four links', async () => {
  const { send, onSubmit } = open()
  expect(screen.getAllByRole('textbox')).toEqual([field(1), field(2), field(3), field(4)])
  await send(LINKS)
  expect(onSubmit.mock.calls).toEqual([[LINKS]])
})

// spec: share-invalid
test.each([
  ['the first is empty', ['', ...LINKS.slice(1)], 1, 'Chưa có link'],
  [
    'one is of another host',
    LINKS.with(1, 'https://example.com/1'),
    2,
    'Link phải chứa facebook.com',
  ],
  [
    'two lead to one post',
    LINKS.with(3, 'm.facebook.com/posts/1/?ref=x'),
    4,
    'Link này trùng với link 1',
  ],
])(
  'when %s, the field says so and is focused, nothing is sent',
  async (_, links, wrong, problem) => {
    const { host, send, onSubmit } = open()
    await send(links)
    const text = 'Có Link chia sẻ chưa hợp lệ'
    await waitFor(() => expect(host.calls).toEqual([{ kind: 'toast', tone: 'error', text }]))
    expect(screen.getByText(text)).toBeVisible()
    expect(field(wrong)).toHaveFocus()
    expect(field(wrong)).toBeInvalid()
    expect(field(wrong)).toHaveAccessibleDescription(problem)
    expect(onSubmit).not.toHaveBeenCalled()
  },
)

// spec: share-host-configured
test('links are checked against the configured host', async () => {
  const { send, onSubmit } = open({ config: { shareHost: 'zalo.me' } })
  await send(LINKS)
  await waitFor(() => expect(field(1)).toHaveAccessibleDescription('Link phải chứa zalo.me'))
  expect(onSubmit).not.toHaveBeenCalled()
})

// spec: copy-toast
test("the copy button copies the event's link with a toast of 1200 ms", async () => {
  const { host, user } = open({ config: { eventUrl: 'https://event.example/x' } })
  await user.click(screen.getByRole('button', { name: 'Sao chép link' }))
  await expect(navigator.clipboard.readText()).resolves.toBe('https://event.example/x')
  expect(host.calls).toEqual([
    { kind: 'toast', tone: 'success', text: 'Đã sao chép link!', options: { duration: 1200 } },
  ])
})

test('the paste button fills its field and becomes a tick if valid', async () => {
  const { user, onSubmit } = open()
  await user.click(field(1))
  await navigator.clipboard.writeText(' https://www.facebook.com/posts/7 ')
  await user.click(screen.getByRole('button', { name: 'Dán link bài viết 3' }))
  await waitFor(() => expect(field(3)).toHaveValue('https://www.facebook.com/posts/7'))
  expect(field(3)).toHaveFocus()
  expect(screen.getAllByRole('img', { name: 'Link hợp lệ' })).toHaveLength(1)
  expect(screen.queryByRole('button', { name: 'Dán link bài viết 3' })).toBeNull()
  expect(onSubmit).not.toHaveBeenCalled()
})

test('where the clipboard never answers, the paste button focuses its field', async () => {
  const { user } = open()
  jest.spyOn(navigator.clipboard, 'readText').mockReturnValue(new Promise(() => {}))
  await user.click(screen.getByRole('button', { name: 'Dán link bài viết 3' }))
  expect(field(3)).toHaveFocus()
})

test.each([
  [2, LINKS.slice(0, 2).join('\n'), ['', ...LINKS.slice(0, 2), '']],
  [3, `1. ${LINKS.join(', 2. ')}`, LINKS],
])('several links pasted into field %i go into a field each', async (place, text, values) => {
  const { user, onSubmit } = open()
  await user.click(field(place))
  await user.paste(text)
  expect([1, 2, 3, 4].map((n) => field(n).value)).toEqual(values)
  await user.click(screen.getByRole('button', { name: 'Gửi link' }))
  expect(onSubmit.mock.calls).toEqual(values.includes('') ? [] : [[LINKS]])
})

test('several links that a keyboard types at once go into a field each', async () => {
  const { send, onSubmit } = open()
  await send([LINKS.join(' ')])
  expect([1, 2, 3, 4].map((n) => field(n).value)).toEqual(LINKS)
  expect(onSubmit.mock.calls).toEqual([[LINKS]])
})

test('several links stay in their field when the others are full', async () => {
  const { send, onSubmit } = open()
  const both = `${LINKS[0]} ${LINKS[1]}`
  await send(LINKS.with(3, both))
  await waitFor(() => expect(field(4)).toHaveAccessibleDescription('Mỗi ô chỉ dán một link'))
  expect(field(4)).toHaveValue(both)
  expect(onSubmit).not.toHaveBeenCalled()
})

test('a title beside a link is left out when it is sent', async () => {
  const { send, onSubmit } = open()
  await send(LINKS.with(0, `Đại tiệc sinh nhật ${LINKS[0]}`))
  expect(onSubmit.mock.calls).toEqual([[LINKS]])
})

test('fields that autofill has filled without an input event are sent', async () => {
  const { send, onSubmit } = open()
  for (const [index, link] of LINKS.entries()) field(index + 1).value = link
  await send([])
  expect(onSubmit.mock.calls).toEqual([[LINKS]])
})

test.each([
  [
    'facebook.com',
    ['https://www.facebook.com/sharer/sharer.php?u=https%3A%2F%2Fevent.example%2Fx'],
  ],
  ['zalo.me', []],
])("with links of %s, Facebook's own dialog is offered: %j", (shareHost, found) => {
  open({ config: { shareHost, eventUrl: 'https://event.example/x' } })
  const links = screen.queryAllByRole('link', { name: 'Đăng lên Facebook' })
  expect(links.map((link) => link.getAttribute('href'))).toEqual(found)
})
