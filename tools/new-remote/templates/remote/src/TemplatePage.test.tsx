import { createFakeHost } from '@anniversary/shared/testing/fake-host'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import TemplatePage from './TemplatePage.tsx'
import { texts } from './texts.ts'

test('shows its title and leads back', async () => {
  const host = createFakeHost()
  render(<TemplatePage host={host} />)
  expect(screen.getByRole('heading', { name: texts.title })).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: texts.back }))
  expect(host.visited()).toEqual(['/'])
})
