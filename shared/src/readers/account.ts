import { withPlainMarks } from './plain-text.ts'
import { accountName } from './visible-text.ts'

const LABEL =
  /^(?:tài khoản|tai khoan|tên đăng nhập|ten dang nhap|tk|account|username|user) ?[:=] ?/i
/**
 * Signs around an account name that belong to the sentence it was copied from.
 */
const AROUND = /^["'([{<]+|["')\]}>,;:!?]+$/g
const ORDINARY = /^[0-9a-z][\w.-]*[0-9a-z]$/i
/** Full-width forms of ASCII, as East Asian keyboards write them. */
const FULL_WIDTH = /[\uff01-\uff5e]/g

const narrow = (char: string) => String.fromCharCode(char.charCodeAt(0) - 0xfee0)

/**
 * Returns the account names that a text can mean, the likeliest first: the name
 * as it is written, then without what an app adds to it. Two accounts that
 * differ only in such signs stay two, because the first name that exists is
 * meant.
 */
export function readAccounts(text: string): readonly string[] {
  if (ORDINARY.test(text)) return [text]
  const written = accountName(text)
  const ordinary = withPlainMarks(written.replace(FULL_WIDTH, narrow))
  const bare = ordinary.replace(LABEL, '').replace(AROUND, '').trim()
  return [...new Set([written, ordinary, bare])].filter((name) => name !== '')
}
