//! The processor instructions that products use.

/// A set of vector instructions that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instructions(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Set {
    /// What every processor of the target has.
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// Returns the widest instructions of this processor.
    pub fn detected() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl") {
            return Self(Set::Avx512);
        } else if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            return Self(Set::Avx2);
        }
        Self::portable()
    }

    /// Returns the instructions that every processor of the target has.
    pub fn portable() -> Self {
        Self(Set::Portable)
    }

    /// Returns the sets this processor has, from the narrowest to the widest.
    pub fn all() -> Vec<Self> {
        let mut all = vec![Self::portable()];
        #[cfg(target_arch = "x86_64")]
        match Self::detected().0 {
            Set::Avx512 => all.extend([Self(Set::Avx2), Self(Set::Avx512)]),
            Set::Avx2 => all.push(Self(Set::Avx2)),
            Set::Portable => {}
        }
        all
    }

    pub(crate) fn set(self) -> Set {
        self.0
    }
}
