import terms from '@anniversary/shared/campaign/terms.json'
import { DRAWS, STAGES } from '@anniversary/shared/contract/event'
import { countWord } from '../count-word.ts'

const hours = [
  ...new Set(DRAWS.map(({ start, end }) => `${start.slice(11, 16)} đến ${end.slice(11, 16)}`)),
]

/**
 * Specification, section 1. Apart from the shell's texts, because the rules
 * load later.
 */
export const rulesTexts = {
  title: 'Thể lệ chương trình',
  close: 'Đã hiểu',
  jumps: 'Chuyển đến phần',
  tickets: {
    title: 'Nhận vé',
    perStage: 'Mỗi giai đoạn nhận tối đa',
    inAll: `${countWord(STAGES.length)} giai đoạn, tổng cộng tối đa`,
    count: (n: number) => `${n} vé`,
  },
  stages: {
    title: `${countWord(STAGES.length)} giai đoạn`,
    short: 'Giai đoạn',
    stage: (number: number) => `Giai đoạn ${number}`,
  },
  missions: {
    title: 'Nhiệm vụ',
    short: 'Nhiệm vụ',
    mission: 'Nhiệm vụ',
    reward: 'Phần thưởng',
    share: 'Ngoài ra còn có nhiệm vụ chia sẻ lên Facebook.',
  },
  draws: {
    title: 'Lịch quay thưởng',
    short: 'Lịch quay',
    hours: `Livestream từ ${hours.join(', ')}`,
    claimBy: (day: string) => `nhận giải đến hết ${day}`,
    addToCalendar: `Thêm ${countWord(DRAWS.length).toLowerCase()} đêm quay vào lịch`,
  },
  prizes: { short: 'Giải thưởng' },
  terms: {
    title: 'Điều khoản',
    short: 'Điều khoản',
    list: terms,
  },
}
