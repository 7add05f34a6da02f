import event from '@anniversary/shared/campaign/texts.json'
import { DRAWS } from '@anniversary/shared/contract/event'
import { countWord } from '../count-word.ts'

export const landingTexts = {
  logo: event.logo,
  lead: event.lead,
  nights: `${countWord(DRAWS.length)} đêm quay thưởng`,
  night: (draw: number) => `Quay lần ${draw}`,
  ended: 'Sự kiện đã kết thúc. Cảm\u00a0ơn\u00a0bạn đã đồng\u00a0hành!',
  rules: 'Thể lệ chương trình',
  check: 'Kiểm tra vé',
  choices: 'Bắt đầu',
  megalive: 'Đăng ký quay số',
  login: 'Đăng nhập nhận vé',
  hello: 'Chào',
  won: 'trúng',
}
