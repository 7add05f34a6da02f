import type { ComponentProps } from 'react'
import { Button } from './Button.tsx'
import { useKeptFocus } from './use-kept-focus.ts'

/** Is shown until a retry has succeeded. */
export function RetryButton(props: Extract<ComponentProps<typeof Button>, { href?: undefined }>) {
  const button = useKeptFocus<HTMLButtonElement>()
  return <Button variant="secondary" {...props} ref={button} />
}
