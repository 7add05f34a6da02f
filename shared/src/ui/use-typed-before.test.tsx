import { act, screen } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { PRERENDERED } from '../contract/prerendered.ts'
import { useTypedBefore } from './use-typed-before.ts'

function Form() {
  const [name, setName] = useTypedBefore('#name', ([typed = '']) => typed)
  return (
    <>
      <input id="name" value={name} onChange={({ target }) => setName(target.value)} />
      <button type="button">{name ? 'Gửi' : 'Nhập tên'}</button>
    </>
  )
}

/** Rendered after the form, before the commit. */
function Later({ typed }: { typed: string | undefined }) {
  if (typed !== undefined) field().value = typed
  return null
}

const field = () => screen.getByRole<HTMLInputElement>('textbox')

async function hydrate(typed: string, typedLater?: string) {
  document.body.innerHTML = `<div ${PRERENDERED}=""><input id="name" value=""><button type="button">${typed ? 'Gửi' : 'Nhập tên'}</button></div>`
  field().value = typed
  const root = document.body.firstElementChild as Element // just made
  await act(async () => {
    hydrateRoot(
      root,
      <>
        <Form />
        <Later typed={typedLater} />
      </>,
    )
  })
}

test('the state starts with what was typed before', async () => {
  await hydrate('mai')
  expect(field()).toHaveValue('mai')
  expect(screen.getByRole('button')).toHaveTextContent('Gửi')
})

test('what is filled in between the render and its commit counts', async () => {
  await hydrate('', 'mai')
  expect(field()).toHaveValue('mai')
  expect(screen.getByRole('button')).toHaveTextContent('Gửi')
})
