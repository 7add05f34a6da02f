import { validateLogin } from './validate-login.ts'

const boxes = (text: string) => [...text].map((char) => (char === '_' ? '' : char))

// spec: login-texts
it.each([
  ['', '____', { field: 'account', text: 'Vui lòng nhập tài khoản' }],
  ['ab', '____', { field: 'account', text: 'Tài khoản phải có ít nhất 3 ký tự' }],
  ['abc', '____', { field: 'digits', text: 'Vui lòng nhập đủ 4 số cuối', box: 0 }],
  ['abc', '123_', { field: 'digits', text: 'Vui lòng nhập đủ 4 số cuối', box: 3 }],
  ['abc', '1_3a', { field: 'digits', text: 'Vui lòng nhập đủ 4 số cuối', box: 1 }],
  ['abc', '12a_', { field: 'digits', text: 'Chỉ được nhập số', box: 2 }],
  ['abc', '0000', null],
])('account %j with %s', (account, digits, problem) => {
  expect(validateLogin(account, boxes(digits))).toEqual(problem)
})
