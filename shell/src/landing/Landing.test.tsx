import { render, screen } from '@testing-library/react'
import { Landing } from './Landing.tsx'

// spec: landing
test('leads by two pictures to the registration on the left and the login on the right', () => {
  const { container } = render(<Landing />)
  expect(screen.getByRole('heading', { level: 1, name: 'Đại tiệc sinh nhật – Vé số may mắn' })).toBeVisible()
  const links = screen.getAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/megalive', '/login'])
  // Names contain the words in the pictures, for voice control (WCAG 2.5.3).
  expect(links[0]).toHaveAccessibleName(/^Đăng ký quay số/)
  expect(links[1]).toHaveAccessibleName(/^Đăng nhập nhận vé/)
  // None moves the page when it arrives.
  for (const picture of container.querySelectorAll('img')) {
    expect(picture).toHaveAttribute('width')
    expect(picture).toHaveAttribute('height')
  }
})
