/** Every Vietnamese text of the missions remote. Exact wordings: specification, sections 4, 5 and 8. */
export const texts = {
  title: 'Nhiệm vụ nhận vé',
  history: 'Lịch sử',
  rules: 'Thể lệ',
  back: 'Quay về',
  backHint: 'Đăng xuất và quay về trang đăng nhập',
  list: 'Danh sách nhiệm vụ',
  waiting: (tickets: number) => `${tickets} vé đang chờ nhận`,
  tickets: (tickets: number) => `${tickets} vé`,

  notReached: 'Chưa Đạt',
  claim: 'Nhận vé',
  check: 'Kiểm tra',
  done: 'Đã nhận · Xem mã',

  loading: 'Đang tải danh sách nhiệm vụ…',
  processing: 'ĐANG XỬ LÝ YÊU CẦU ...',
  empty: 'Chưa có nhiệm vụ nào',
  emptyHint: 'Nhiệm vụ của giai đoạn mới sẽ xuất hiện tại đây.',
  retry: 'Thử lại',
  loadFailed: 'Không thể tải dữ liệu nhiệm vụ. Vui lòng thử lại!',
  stale: 'Danh sách dưới đây có thể chưa phải mới nhất.',
  sessionExpired: 'Phiên đăng nhập đã hết hạn. Vui lòng xác minh tại tài khoản để tiếp tục!',

  missionNotFound: 'Không tìm thấy thông tin nhiệm vụ',
  claimFailed: 'Có lỗi xảy ra khi nhận phần thưởng. Vui lòng thử lại!',
  lostChecking: (mission: string) =>
    `Chưa nhận được câu trả lời cho nhiệm vụ “${mission}”. Đang tải lại danh sách để xem kết quả…`,
  lostUnknown: (mission: string) =>
    `Chưa rõ nhiệm vụ “${mission}” đã được ghi nhận hay chưa. Hãy tải lại danh sách: danh sách luôn cho biết kết quả đúng.`,
  lostGranted: (mission: string) =>
    `Vé của nhiệm vụ “${mission}” đã được ghi nhận dù câu trả lời bị thất lạc. Bạn có thể xem mã ngay trên thẻ nhiệm vụ.`,
  lostNotGranted: (mission: string) =>
    `Danh sách chưa ghi nhận vé của nhiệm vụ “${mission}”. Bạn cứ bấm nhận lại: mỗi nhiệm vụ chỉ cấp vé một lần nên không bị trùng.`,
  dismiss: 'Đã hiểu',

  codesTitleNew: 'Chúc mừng bạn đã nhận vé!',
  codesTitle: 'Mã dự thưởng của bạn',
  codesKeep: 'Mã được lưu trong lịch sử nhận vé và có hiệu lực trong 3 ngày livestream.',
  noCodes: 'Không có mã dự thưởng để hiển thị',
  confirm: 'Xác nhận',
  close: 'Đóng',
  codeCopied: 'Đã sao chép mã dự thưởng!',
  copyFailed: 'Trình duyệt không cho phép sao chép. Vui lòng chọn và sao chép thủ công!',
  refusedTitle: 'Chưa nhận được vé',

  shareTitle: 'Chia sẻ sự kiện',
  shareLead:
    'Chia sẻ liên kết sự kiện lên Facebook ở chế độ công khai rồi dán đủ 4 liên kết bài viết của bạn.',
  shareUrl: (number: number) => `Liên kết chia sẻ ${number}`,
  copyLink: 'Sao chép liên kết',
  linkCopied: 'Đã sao chép liên kết!',
  shareSubmit: 'Gửi liên kết',
  shareInvalid: 'Có Link chia sẻ chưa hợp lệ',
  shareIncomplete: 'Vui lòng nhập đầy đủ 4 URL!',
  shareFailed: 'Có lỗi xảy ra khi submit URL. Vui lòng thử lại!',
  linkMissing: 'Chưa có liên kết',
  linkForeign: (host: string) => `Liên kết phải chứa ${host}`,

  streakTitle: 'Kiểm tra chuỗi ngày nạp',
  streakLead: (days: number) => `Chọn khoảng thời gian bạn đã nạp liên tiếp ${days} ngày.`,
  streakStart: 'Ngày bắt đầu',
  streakEnd: 'Ngày kết thúc',
  streakIncomplete: 'Vui lòng nhập đầy đủ ngày bắt đầu và ngày kết thúc.',
  streakRefused: 'Bạn chưa đủ điều kiện để nhận vé',
  streakFailed: 'Có lỗi xảy ra khi kiểm tra. Vui lòng thử lại!',
  dateMissing: 'Chưa chọn ngày',

  moments: {
    'stage-start': (stage: number) => `Giai đoạn ${stage} bắt đầu sau`,
    'stage-end': (stage: number) => `Giai đoạn ${stage} kết thúc sau`,
    'draw-start': (stage: number) => `Quay thưởng lần ${stage} bắt đầu sau`,
    'draw-end': (stage: number) => `Đang quay thưởng lần ${stage}, kết thúc sau`,
  },
  ended: 'Sự kiện đã kết thúc',
  endedHint: 'Cảm ơn bạn đã đồng hành! Mã vé của bạn vẫn được lưu trong lịch sử.',
} as const
