import { createFakeHost } from '@anniversary/shared/testing/fake-host'
import { fireEvent, render, screen } from '@testing-library/react'
import { typicalMissions } from '../fixtures.ts'
import { type HomeState, initialState } from '../store/home-state.ts'
import { createHomeStore } from '../store/home-store.ts'
import { ListNotice } from './ListNotice.tsx'

test.each<[string, Partial<HomeState>, string, string[]]>([
  ['a list that could not be renewed', { failed: true }, 'Danh sách có thể chưa mới nhất', ['reload']],
  ['a lost answer', { lost: 'NAP_300', loading: true }, 'Chưa nhận được câu trả lời', []],
  ['that it was granted', { lost: 'CUOC_5000' }, '“Tổng cược 5.000 điểm”: vé đã được ghi nhận', ['dismiss']],
  ['that it was not', { lost: 'NAP_300' }, '“Tổng nạp 300 điểm”: danh sách chưa ghi nhận vé', ['dismiss']],
])('tells of %s', (_, change, text, presses) => {
  const pressed: string[] = []
  const store = {
    ...createHomeStore(createFakeHost()),
    reload: () => void pressed.push('reload'),
    dismissLost: () => void pressed.push('dismiss'),
  }
  const state = { ...initialState, missions: typicalMissions, loading: false, ...change }
  const { container } = render(<ListNotice state={state} store={store} />)
  expect(container).toHaveTextContent(text)
  fireEvent.click(screen.getByRole('button'))
  expect(pressed).toEqual(presses)
})
