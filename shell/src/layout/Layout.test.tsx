import { traceId } from '@anniversary/shared/client/trace'
import { render, screen, waitFor } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { Crash } from './FailureCard.tsx'
import styles from './Layout.module.css'
import { Layout } from './Layout.tsx'

// spec: layout
test('a screen is in the main area, and the skip link leads there', () => {
  const { container } = render(<Layout>Nội dung</Layout>)
  const main = screen.getByRole('main')
  expect(main).toHaveTextContent('Nội dung')
  expect(screen.getByRole('banner')).toContainElement(
    screen.getByRole('img', { name: 'Đại tiệc sinh nhật – Vé số may mắn' }),
  )
  expect(screen.getByRole('link', { name: 'Đến nội dung chính' })).toHaveAttribute(
    'href',
    `#${main.id}`,
  )
  // Every picture keeps its place while it loads.
  for (const picture of container.querySelectorAll('img')) {
    expect(picture).toHaveAttribute('width')
    expect(picture).toHaveAttribute('height')
  }
})

test('the ornament comes when the browser is idle', async () => {
  const ornament = styles.ornament ?? ''
  expect(renderToString(<Layout>Nội dung</Layout>)).not.toContain(ornament)
  const { container } = render(<Layout>Nội dung</Layout>)
  expect(container.getElementsByClassName(ornament)).toHaveLength(0)
  await waitFor(() => expect(container.getElementsByClassName(ornament)).toHaveLength(1))
})

test('a fullscreen screen has no header and decorates itself when idle', async () => {
  render(<Layout fullscreen>Nội dung</Layout>)
  const main = screen.getByRole('main')
  expect(main).toHaveTextContent('Nội dung')
  expect(screen.queryByRole('banner')).not.toBeInTheDocument()
  expect(main).not.toHaveAttribute('data-decorated')
  await waitFor(() => expect(main).toHaveAttribute('data-decorated'))
})

// spec: crash-text
test('a crash says exactly what the specification says', () => {
  render(<Crash />)
  expect(screen.getByRole('alert')).toHaveTextContent('Đã có lỗi. Vui lòng tải lại trang.')
  expect(screen.getByRole('button', { name: 'Tải lại trang' })).toBeVisible()
  // What the page's calls carry, for who asks support.
  expect(screen.getByText(`Mã hỗ trợ: ${traceId()}`)).toBeVisible()
})
