/** Vietnamese texts of the rules: the specification's section 1. A file of its own, because the rules are a lazy chunk. */
export const texts = {
  title: 'Thể lệ chương trình',
  close: 'Đã hiểu',
  tickets: {
    title: 'Nhận vé',
    perStage: 'Mỗi giai đoạn nhận tối đa',
    inAll: 'Ba giai đoạn, tổng cộng tối đa',
    unit: 'vé',
  },
  stages: {
    title: 'Ba giai đoạn',
    stage: (number: number) => `Giai đoạn ${number}`,
  },
  missions: {
    title: 'Nhiệm vụ',
    mission: 'Nhiệm vụ',
    reward: 'Phần thưởng',
    rows: [
      ['Tổng nạp 300 điểm', '1 vé'],
      ['Tổng cược 5.000 điểm', '1 vé'],
      ['Nạp tiền 5 ngày liên tiếp', '1 vé'],
      ['Tổng nạp 15.000 điểm', '1 vé'],
      ['Nạp tiền 10 lần', '1 vé'],
    ],
    share: 'Ngoài ra còn có nhiệm vụ chia sẻ lên Facebook.',
  },
  draws: {
    title: 'Lịch quay thưởng',
    hours: 'Livestream từ 20:00 đến 22:00',
    addToCalendar: 'Thêm ba buổi quay vào lịch',
    fileName: 'lich-quay-thuong.ics',
    event: (stage: number) => `Quay thưởng vé số may mắn – Giai đoạn ${stage}`,
    description: 'Chuẩn bị sẵn các mã vé của bạn để dò số trên livestream.',
  },
  terms: {
    title: 'Điều khoản',
    list: [
      'Mã dự thưởng có giá trị trong cả 3 ngày livestream.',
      'Mã đã trúng thưởng không được dùng lại.',
      'Mỗi người chỉ được dùng một tài khoản; nếu vi phạm, mọi giải thưởng sẽ bị hủy.',
      'Giải thưởng phải được nhận trong vòng 1 tháng kể từ ngày livestream.',
      'Khách hàng trúng thưởng vui lòng liên hệ bộ phận chăm sóc khách hàng.',
    ],
    support: 'Liên hệ chăm sóc khách hàng',
  },
}
