// Sample of a page that is made to be embedded by <mega-live>.
// A classic script without storage or cookies: on our own origin the page runs sandboxed, without an origin.
;(() => {
  const byId = (id) => document.getElementById(id)
  const form = byId('form')
  const done = byId('done')
  const required = { fullname: 'Vui lòng nhập họ và tên.', phone: 'Vui lòng nhập số điện thoại.' }

  const check = (name) => {
    const field = form.elements[name]
    const missing = field.value.trim() === ''
    byId(`${name}-error`).textContent = missing ? required[name] : ''
    field.setAttribute('aria-invalid', String(missing))
    return !missing
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const wrong = Object.keys(required).filter((name) => !check(name))
    if (wrong[0]) {
      form.elements[wrong[0]].focus()
      return
    }
    byId('done-name').textContent = form.elements.fullname.value.trim()
    byId('done-night').textContent = `20:00 ngày ${form.elements.night.value}`
    form.hidden = true
    done.hidden = false
    done.focus()
  })

  form.addEventListener('input', ({ target }) => {
    if (target.getAttribute('aria-invalid') === 'true') check(target.name)
  })

  byId('again').addEventListener('click', () => {
    form.reset()
    done.hidden = true
    form.hidden = false
    form.elements.fullname.focus()
  })

  // Tells the embedding page that this one can be used. It carries nothing, so any page may hear it.
  if (parent !== window) parent.postMessage({ type: 'mega-live:ready' }, '*')
})()
