import event from '../campaign/texts.json' with { type: 'json' }

export const uiTexts = {
  account: 'Tài khoản',
  close: 'Đóng',
  support: 'Liên hệ chăm sóc khách hàng',
  required: 'Mục có dấu * là bắt buộc.',
  copySelected:
    'Trình duyệt không cho phép sao chép. Nội dung đã được chọn sẵn: nhấn giữ rồi bấm “Sao chép”.',
  copyFailed: 'Trình duyệt không cho phép sao chép. Vui lòng chọn và sao chép thủ công!',
}

export const eventTexts = {
  moments: {
    'stage-start': (stage: number) => `Giai đoạn ${stage} bắt đầu sau`,
    'stage-end': (stage: number) => `Giai đoạn ${stage} kết thúc sau`,
    'draw-start': (stage: number) => `Quay thưởng lần ${stage} bắt đầu sau`,
    'draw-end': (stage: number) => `Đang quay thưởng lần ${stage}, kết thúc sau`,
  },
  watch: 'Xem trực tiếp',
  days: 'ngày',
  hours: 'giờ',
  minutes: 'phút',
  seconds: 'giây',
  noWin: {
    title: 'Lần này chưa trúng',
    nights: (codes: number, nights: number) =>
      `${codes} mã của bạn còn ${nights} đêm quay. Chúc bạn may mắn!`,
    over: 'Rất tiếc, lần này bạn chưa trúng. Cảm ơn bạn đã tham gia!',
    calendar: 'Thêm vào lịch',
  },
  prizes: 'Cơ cấu giải thưởng',
  results: (draw: number, day: string) => `Kết quả quay thưởng lần\u00a0${draw} · ${day}`,
  list: {
    summary: (draw: number, count: string, digest: string) =>
      `Danh sách lần ${draw}: ${count} vé · mã kiểm tra ${digest} …`,
    about: (time: string) =>
      `Chốt lúc ${time}. Danh sách không thay đổi sau khi chốt: mã kiểm tra là SHA-256 của tệp danh sách, ai cũng có thể tính lại.`,
    file: 'Xem danh sách',
    fileLater: 'Danh sách được công bố khi đêm quay bắt đầu.',
  },
  calendar: {
    event: (stage: number) => `${event.draw} – Giai đoạn ${stage}`,
    description: 'Chuẩn bị sẵn các mã dự thưởng của bạn để dò số trên livestream.',
  },
}
