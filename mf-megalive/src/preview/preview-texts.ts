export const texts = {
  copied: 'Đã sao chép.',
  marked: 'Đã chọn đoạn mã: nhấn Ctrl+C để sao chép.',
  pinned: (version: string) =>
    `Ghim phiên bản ${version}. Trang của bạn không đổi cho tới khi bạn đổi đoạn mã.`,
  unknown: 'Không đọc được phiên bản đang phát hành, nên đoạn mã dùng phiên bản mới nhất.',
}
