import { createApiError } from '@anniversary/shared/client/api-error'
import type { CheckResult, ClientApi } from '@anniversary/shared/contract/host'
import { createFakeHost } from '@anniversary/shared/testing/fake-host'
import { pending } from '@anniversary/shared/testing/pending'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { StrictMode } from 'react'
import CheckPage from './CheckPage.tsx'
import { answerByCode, answerByUsername } from './fixtures.ts'

function open(check?: ClientApi['check'], api?: Partial<ClientApi>) {
  const host = createFakeHost({ session: null, api: { ...(check && { check }), ...api } })
  const user = userEvent.setup({ delay: null })
  const page = render(<CheckPage host={host} />, { wrapper: StrictMode })
  return { host, user, ...page }
}

// By its label: jsdom spends milliseconds on each role.
const field = () => screen.getByLabelText('Nội dung kiểm tra')
const enter = (value: string) => fireEvent.input(field(), { target: { value } })
const radio = (name: string) => screen.getByRole('radio', { name })
const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'KIỂM TRA NGAY' })
const answer = () => screen.getByRole('status')
const texts = (role: string) =>
  within(answer())
    .getAllByRole(role)
    .map(({ textContent }) => textContent)

/** The last answer repeats. */
const asking = (...results: (CheckResult | Error)[]) =>
  jest.fn<Promise<CheckResult>, Parameters<ClientApi['check']>>(async () => {
    const next = results.length > 1 ? results.shift() : results[0]
    if (next instanceof Error || !next) throw next
    return next
  })

async function ask(user: UserEvent, value: string) {
  enter(value)
  await user.click(submit())
}

// spec: check-kinds
it('the check offers login name and code, and a link back', () => {
  open()
  const choices = within(screen.getByRole('group', { name: 'Kiểm tra theo' })).getAllByRole('radio')
  expect(choices).toEqual([radio('Tên đăng nhập'), radio('Mã dự thưởng')])
  expect(radio('Tên đăng nhập')).toBeChecked()
  expect(screen.getByRole('link', { name: 'QUAY VỀ' })).toHaveAttribute('href', '/')
  expect(screen.getByRole('heading', { level: 1 })).toHaveAttribute('tabindex', '-1')
})

// spec: check-empty
it('an empty search sends nothing and focuses the field', async () => {
  const check = asking(answerByUsername)
  const { host, user } = open(check)
  enter('   ')
  await user.click(submit())
  const text = 'Vui lòng nhập thông tin tìm kiếm để tiếp tục!'
  const toast = (silent: boolean) => ({ kind: 'toast', tone: 'error', text, options: { silent } })
  const isInvalid: boolean[] = []
  field().addEventListener('focus', () => isInvalid.push(field().matches('[aria-invalid]')))
  await waitFor(() => expect(host.calls).toEqual([toast(true)]))
  expect(field()).toHaveFocus()
  // Screen readers read the error with the field that gets the focus.
  expect(isInvalid).toEqual([true])
  await user.keyboard('{Enter}')
  await waitFor(() => expect(host.calls.at(-1)).toEqual(toast(false)))
  expect(field()).toBeInvalid()
  expect(field()).toHaveAccessibleDescription(text)
  expect(check).not.toHaveBeenCalled()
  await user.keyboard('d')
  expect(screen.queryByText(text)).not.toBeInTheDocument()
})

// spec: check-by-name
it('a login name shows its tickets by stage', async () => {
  const check = asking(answerByUsername)
  const { host, user } = open(check)
  await ask(user, ' demo01 ')
  expect(check.mock.calls).toEqual([[{ by: 'username', value: 'demo01' }]])
  expect(within(answer()).getByRole('heading')).toHaveTextContent('Kết quả kiểm tra: demo01')
  expect(texts('term')).toEqual(['Giai đoạn 1', 'Giai đoạn 2', 'Giai đoạn 3'])
  expect(texts('definition')).toEqual(['3 vé', '0 vé', '1 vé'])
  expect(host.calls).toEqual([])
})

it('an unknown login name answers like one without tickets', async () => {
  const none = [1, 2, 3].map((stage) => ({ stage, tickets: 0 }))
  const { user } = open(asking({ by: 'username', stages: [] }, { by: 'username', stages: none }))
  await ask(user, 'demo02')
  const unknown = answer().innerHTML
  expect(answer()).toHaveTextContent('Chưa có vé nào')
  await ask(user, 'demo02')
  expect(answer().innerHTML).toBe(unknown)
})

it.each([
  ['A51C-20QB-17CB', true],
  ['demo02', false],
])('a name without tickets, %s, is said to be perhaps a code: %s', async (typed, isHinted) => {
  const { user } = open(asking({ by: 'username', stages: [] }))
  await ask(user, typed)
  expect(answer()).toHaveTextContent('Chưa có vé nào')
  const hints = screen.queryAllByText(/Nếu đây là mã dự thưởng, hãy chọn “Mã dự thưởng”\./)
  expect(hints).toHaveLength(Number(isHinted))
})

it.each([
  ['mã: “a51c–20qb–17cb”.', 'A51C-20QB-17CB', 'Kết quả kiểm tra: A51C-20QB-17CB'],
  ['A51C-20QB-17CB, A51C-20QB-17CC', 'A51C-20QB-17CB', 'Kết quả kiểm tra: A51C-20QB-17CB'],
  ['386ư-20QB-17CB', undefined, 'Hãy tắt bộ gõ tiếng Việt'],
  ['A51C', undefined, 'Mã dự thưởng gồm 12 chữ và số'],
])('the typed code %s is read before it is looked up', async (typed, code, said) => {
  const check = asking({ by: 'code', valid: false })
  const { user } = open(check)
  await user.click(radio('Mã dự thưởng'))
  await ask(user, typed)
  await waitFor(() => expect(answer()).toHaveTextContent(said))
  expect(check.mock.calls).toEqual(code ? [[{ by: 'code', value: code }]] : [])
})

it('a code shows its stage, mission, time and its number in a list', async () => {
  const check = asking(answerByCode)
  const { user } = open(check)
  await user.click(radio('Mã dự thưởng'))
  await ask(user, 'A51C-20QB-17CB')
  expect(check.mock.calls).toEqual([[{ by: 'code', value: 'A51C-20QB-17CB' }]])
  expect(texts('definition')).toEqual(['1', 'Tổng nạp 300 điểm', '20:05 20/08/2025', 'Số 212.044'])
})

it.each([
  ['A51C-20QB-17CB', '★ Trúng Xe máy · quay lần 2'],
  // It may have won a gift code, which is not public.
  ['A51C-20QB-17CC', 'Số 212.044'],
])('the answer for the code %s ends with %s', async (code, end) => {
  const draws = async () => [{ draw: 2, prize: 'Xe máy', codes: ['X', 'A51C-20QB-17CB'] }]
  const { user } = open(asking(answerByCode), { draws })
  await user.click(radio('Mã dự thưởng'))
  await ask(user, code)
  await waitFor(() => expect(answer().textContent).toMatch(new RegExp(`${end}$`)))
})

// spec: check-unsupported
it.each<[string, CheckResult, string]>([
  ['a code is unknown', { by: 'code', valid: false }, 'Không tìm thấy mã này'],
  ['this server cannot look things up', { by: 'unsupported' }, 'Hiện chưa thể tra cứu trực tuyến'],
])('an answer without a toast says that %s', async (_, result, text) => {
  const { host, user } = open(asking(result))
  await ask(user, 'x')
  expect(answer()).toHaveTextContent(text)
  expect(host.calls).toEqual([])
})

it('a failed check shows the reason without a second toast and can be repeated', async () => {
  const text = 'Bạn thao tác quá nhanh. Vui lòng thử lại sau.'
  const { host, user } = open(asking(createApiError('refused', text, 429), answerByUsername))
  await ask(user, 'demo01')
  expect(answer()).toHaveTextContent(text)
  expect(host.calls).toEqual([])
  await user.click(submit())
  expect(answer()).toHaveTextContent('3 vé')
  expect(answer()).not.toHaveTextContent(text)
})

it('an answer names the question that was sent', async () => {
  const { promise, resolve } = pending<CheckResult>()
  const check = jest.fn(() => promise)
  const { user } = open(check)
  await ask(user, 'demo01')
  expect(submit()).toHaveAttribute('aria-busy', 'true')
  expect(answer()).toHaveTextContent('Đang kiểm tra…')
  await user.type(field(), '23{Enter}')
  await user.click(radio('Mã dự thưởng'))
  expect(check).toHaveBeenCalledTimes(1)
  await act(async () => resolve(answerByUsername))
  expect(within(answer()).getByRole('heading')).toHaveTextContent('Kết quả kiểm tra: demo01')
  expect(field()).toHaveValue('demo0123')
})

it('changing the choice removes the answer', async () => {
  const { user } = open(asking(answerByUsername))
  await ask(user, 'demo01')
  await user.click(radio('Mã dự thưởng'))
  expect(answer()).toBeEmptyDOMElement()
})
