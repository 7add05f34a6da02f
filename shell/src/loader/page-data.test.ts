import { dataBlock } from '@anniversary/shared/contract/page-names'
import { readPageData } from './page-data.ts'

test("the page's data is read from deploy's blocks, whatever ids a remote's HTML uses", () => {
  document.body.innerHTML = `<div id="root"><h1 id="config">Cấu hình</h1><p id="composition"></p></div>
    ${dataBlock('composition', { number: 7 })}${dataBlock('config', { apiBase: '/api' })}`
  expect(readPageData()).toEqual({ composition: { number: 7 }, config: { apiBase: '/api' } })
})

test('a page that lacks a block says which, and who writes it', () => {
  document.body.innerHTML = dataBlock('composition', {})
  expect(readPageData).toThrow('The page carries no #config: it was not written by deploy')
})
