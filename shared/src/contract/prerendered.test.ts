import { prerenderFaults } from './prerendered.ts'

test.each([
  '<div id="config"></div>',
  "<p class=x id='composition'>",
  '<b\nID = root>',
  '<iframe src="https://evil.example">',
  '<base href="/">',
  '<form class="x" name="querySelector">',
  '<img\nNAME=head>',
  '<object data="/x">',
  '<form action="https://evil.example/">',
  '<button formaction="//evil.example/">',
  '<form action="javascript:alert(1)">',
  '<form action=" https://evil.example/">',
  '<form action="/&#92;evil.example">',
  '<form action="/\t/evil.example">',
  '<form action="/&sol;evil.example">',
  '<script>1</script>',
  '<p style="color:red">',
  '<img onerror="x()">',
  '<img\nonerror=x()>',
  '<!--$?-->',
])('%s is refused in the HTML of a page', (html) => {
  expect(prerenderFaults(html)).toHaveLength(1)
})

test('fields, links, pictures and own forms are accepted', () => {
  const html =
    '<form action="/login" id="login-form"><input id="username" name="username" data-action="x"/><a href="/check">x</a><img src="/a.svg"/></form>'
  expect(prerenderFaults(html)).toEqual([])
})

test.each(['<', '<form ', '<img\n', 'id', ' action="/', '<a ', '<!--page-->'])(
  'a megabyte of %j takes linear time',
  (text) => {
    const began = process.cpuUsage().user
    prerenderFaults(text.repeat(2 ** 20 / text.length))
    // Quadratic patterns take hours.
    expect(process.cpuUsage().user - began).toBeLessThan(5_000_000)
  },
)
